# Writes coming_from.csv: what pROC and ROCR say about the shipped German credit predictions, for the guide to their users.
# Rscript tests/golden/coming_from.R   (pROC 1.19, ROCR 1.0)
suppressMessages({library(pROC); library(ROCR)})
data <- read.csv("src/isocost/examples/german_credit_predictions.csv")
forest <- data$random_forest
bayes <- data$naive_bayes
out <- list()
r <- roc(data$bad, forest, direction = "<", levels = c(0, 1), quiet = TRUE)
out[["pROC auc"]] <- as.numeric(auc(r))
out[["pROC partial auc"]] <- as.numeric(auc(r, partial.auc = c(1, 0.9), partial.auc.focus = "specificity"))
# A miss costs 5 false alarms and 30 % are positive.
best <- coords(r, "best", best.method = "youden", best.weights = c(5, 0.3), ret = c("threshold", "specificity", "sensitivity"), transpose = FALSE)
out[["pROC best threshold"]] <- best$threshold[1]
out[["pROC best fpr"]] <- 1 - best$specificity[1]
out[["pROC best tpr"]] <- best$sensitivity[1]
plain <- coords(r, "best", best.method = "youden", ret = c("specificity", "sensitivity"), transpose = FALSE)
out[["pROC youden"]] <- plain$specificity[1] + plain$sensitivity[1] - 1
test <- roc.test(r, roc(data$bad, bayes, direction = "<", levels = c(0, 1), quiet = TRUE), method = "delong", paired = TRUE)
out[["pROC delong p"]] <- test$p.value
p <- prediction(forest, data$bad)
out[["ROCR auc"]] <- performance(p, "auc")@y.values[[1]]
cost <- performance(p, "cost", cost.fp = 1, cost.fn = 5)
out[["ROCR lowest cost"]] <- min(cost@y.values[[1]])
out[["ROCR cutoff of lowest cost"]] <- cost@x.values[[1]][which.min(cost@y.values[[1]])]
out[["ROCR best accuracy"]] <- max(performance(p, "acc")@y.values[[1]])
out[["ROCR best f"]] <- max(performance(p, "f")@y.values[[1]], na.rm = TRUE)
ecost <- performance(p, "ecost")
out[["ROCR ecost at 0.5"]] <- approx(ecost@x.values[[1]], ecost@y.values[[1]], xout = 0.5)$y
# Precision, recall and lift where the score is at least 0.5 and at least 0.25.
for (cut in c(0.5, 0.25)) {
  at <- function(measure) {
    found <- performance(p, measure)
    y <- found@y.values[[1]]
    y[max(which(found@x.values[[1]] >= cut))]
  }
  for (measure in c("prec", "rec", "lift", "rpp", "phi")) out[[sprintf("ROCR %s at %g", measure, cut)]] <- at(measure)
  point <- coords(r, cut - 1e-9, input = "threshold", ret = c("precision", "recall", "youden", "npv"), transpose = FALSE)
  out[[sprintf("pROC precision at %g", cut)]] <- point$precision
  out[[sprintf("pROC recall at %g", cut)]] <- point$recall
  # pROC's youden has 1 added.
  out[[sprintf("pROC youden at %g", cut)]] <- point$youden - 1
}
# Limits of the tpr at a fixed fpr, and at a fixed threshold: not the same question.
set.seed(1)
se <- ci.se(r, specificities = 0.9, conf.level = 0.9, boot.n = 20000, progress = "none")
out[["pROC ci.se low"]] <- se[1, 1]
out[["pROC ci.se high"]] <- se[1, 3]
th <- ci.thresholds(r, thresholds = 0.4, conf.level = 0.9, boot.n = 20000, progress = "none")
out[["pROC ci.thresholds low"]] <- th$sensitivity[1, 1]
out[["pROC ci.thresholds high"]] <- th$sensitivity[1, 3]
lines <- sprintf("%s,%.17g", names(out), unlist(out))
writeLines(c("name,value", lines), "tests/golden/coming_from.csv")
