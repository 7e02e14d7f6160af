# Prints what pROC, ROCR, cutpointr and hmeasure say about the shipped German credit predictions, one fact a line: name, tab, value.
# check_peers.py runs it and compares. A package that is missing prints nothing.
data <- read.csv(commandArgs(trailingOnly = TRUE)[1])
forest <- data$random_forest
say <- function(name, value) cat(sprintf("%s\t%.17g\n", name, as.numeric(value)))
there <- function(package) {
  found <- suppressWarnings(suppressMessages(requireNamespace(package, quietly = TRUE)))
  if (found) cat(sprintf("version %s\t%s\n", package, as.character(packageVersion(package))))
  found
}
# Every public name, with arguments: what the table of features denies is looked for in them.
names_of <- function(package, more = c()) {
  exported <- grep("^\\.__", getNamespaceExports(package), value = TRUE, invert = TRUE)
  arguments <- unlist(lapply(exported, function(name) names(formals(args(getExportedValue(package, name))))))
  cat(sprintf("names %s\t%s\n", package, paste(unique(c(exported, arguments, more)), collapse = " ")))
}
offers <- function(package, pattern) any(grepl(pattern, getNamespaceExports(package), ignore.case = TRUE))

if (there("pROC")) {
  names_of("pROC")
  r <- pROC::roc(data$bad, forest, direction = "<", levels = c(0, 1), quiet = TRUE)
  say("pROC auc", pROC::auc(r))
  say("pROC auc of turned scores", pROC::auc(pROC::roc(data$bad, -forest, levels = c(0, 1), quiet = TRUE)))
  say("pROC partial auc", pROC::auc(r, partial.auc = c(1, 0.9)))
  say("pROC partial auc of tpr", pROC::auc(r, partial.auc = c(1, 0.9), partial.auc.focus = "sensitivity"))
  best <- pROC::coords(r, "best", best.weights = c(5, 0.3), ret = c("threshold", "specificity", "sensitivity"))
  say("pROC best threshold", best$threshold[1])
  say("pROC best fpr", 1 - best$specificity[1])
  say("pROC best tpr", best$sensitivity[1])
  say("pROC tpr at an fpr of 0.1", pROC::coords(r, 0.9, input = "specificity", ret = "sensitivity")[1, 1])
  say("pROC has misses at every threshold", all(c("fpr", "fnr") %in% names(pROC::coords(r, "all", ret = c("fpr", "fnr")))))
  say("pROC youden", pROC::coords(r, "best", best.method = "youden", ret = "youden")[1, 1])
  bayes <- pROC::roc(data$bad, data$naive_bayes, direction = "<", levels = c(0, 1), quiet = TRUE)
  say("pROC delong p", pROC::roc.test(r, bayes, method = "delong", paired = TRUE)$p.value)
  set.seed(1)
  se <- pROC::ci.se(r, specificities = 0.9, conf.level = 0.9, boot.n = 1000)
  sp <- pROC::ci.sp(r, sensitivities = 0.9, conf.level = 0.9, boot.n = 1000)
  th <- pROC::ci.thresholds(r, thresholds = 0.4, conf.level = 0.9, boot.n = 1000)
  say("pROC ci.se low", se[1, 1])
  say("pROC ci.se high", se[1, 3])
  say("pROC ci.sp low", sp[1, 1])
  say("pROC ci.sp high", sp[1, 3])
  say("pROC ci.thresholds low", th$sensitivity[1, 1])
  say("pROC ci.thresholds high", th$sensitivity[1, 3])
  say("pROC offers multiclass.roc", offers("pROC", "^multiclass.roc$"))
}
if (there("ROCR")) {
  names_of("ROCR", ls(ROCR:::.define.environments()$long.unit.names))
  p <- ROCR::prediction(forest, data$bad)
  say("ROCR auc", ROCR::performance(p, "auc")@y.values[[1]])
  say("ROCR auc of turned scores", ROCR::performance(ROCR::prediction(-forest, data$bad), "auc")@y.values[[1]])
  say("ROCR partial auc", ROCR::performance(p, "auc", fpr.stop = 0.1)@y.values[[1]])
  cost <- ROCR::performance(p, "cost", cost.fp = 1, cost.fn = 5)
  say("ROCR lowest cost", min(cost@y.values[[1]]))
  say("ROCR cutoff of lowest cost", cost@x.values[[1]][which.min(cost@y.values[[1]])])
  ecost <- ROCR::performance(p, "ecost")
  say("ROCR ecost at 0.5", approx(ecost@x.values[[1]], ecost@y.values[[1]], xout = 0.5)$y)
  say("ROCR rmse", ROCR::performance(p, "rmse")@y.values[[1]])
  say("ROCR misses and false alarms", length(ROCR::performance(p, "miss", "fpr")@y.values[[1]]))
  say("ROCR points of the hull", length(ROCR::performance(p, "rch")@x.values[[1]]))
}
if (there("cutpointr")) {
  names_of("cutpointr")
  cut <- function(...) {
    suppressMessages(cutpointr::cutpointr(
      data, random_forest, bad, pos_class = 1, direction = ">=", method = cutpointr::maximize_metric, silent = TRUE, ...
    ))
  }
  cheap <- suppressMessages(cutpointr::cutpointr(
    data, random_forest, bad, pos_class = 1, direction = ">=", method = cutpointr::minimize_metric,
    metric = cutpointr::misclassification_cost, cost_fp = 1, cost_fn = 5, silent = TRUE
  ))
  say("cutpointr cheapest cutpoint", cheap$optimal_cutpoint)
  say("cutpointr lowest cost", cheap$misclassification_cost)
  say("cutpointr auc", cheap$AUC)
  say("cutpointr has misses at every cutpoint", all(c("fpr", "fnr") %in% names(cheap$roc_curve[[1]])))
  kept <- cut(metric = cutpointr::sens_constrain, constrain_metric = cutpointr::specificity, min_constrain = 0.9)
  say("cutpointr most caught with fpr below 0.1", kept$sensitivity)
  set.seed(1)
  boot <- suppressWarnings(cut(metric = cutpointr::youden, boot_runs = 20))
  say("cutpointr columns of out-of-bag estimates", sum(grepl("_oob$", names(boot$boot[[1]]))))
  for (name in c("oc_youden_kernel", "maximize_gam_metric", "maximize_loess_metric", "maximize_spline_metric")) {
    say(paste("cutpointr offers", name), offers("cutpointr", paste0("^", name, "$")))
  }
}
if (there("hmeasure")) {
  names_of("hmeasure")
  found <- function(scores, ...) suppressMessages(suppressWarnings(hmeasure::HMeasure(data$bad, data.frame(s = scores), ...)$metrics))
  own <- found(forest)
  for (name in c("H", "AUC", "AUCH", "KS", "MER", "MWL")) say(paste("hmeasure", name), own[[name]])
  say("hmeasure H at severity 0.2", found(forest, severity.ratio = 0.2)$H)
  say("hmeasure tpr at an fpr of 0.1", found(forest, level = 0.9)[["Sens.Spec90"]])
  say("hmeasure AUC of turned scores", found(-forest)$AUC)
}
