# DeLong's variance, intervals and paired tests of pROC on tied data, for tests/inference/test_delong.py.
# Rscript tests/golden/delong.R  (written with pROC 1.18.0; reads delong_cases.csv, writes delong.csv beside it)
suppressMessages(library(pROC))
args <- commandArgs(trailingOnly = FALSE)
here <- dirname(sub("^--file=", "", grep("^--file=", args, value = TRUE)))
cases <- read.csv(file.path(here, "delong_cases.csv"))
pairs <- list(c("coarse", "fine"), c("fine", "binary"), c("coarse", "backwards"), c("fine", "twin"))
rows <- list()
for (pair in pairs) {
  a <- roc(cases$y, cases[[pair[1]]], direction = "<", levels = c(0, 1), quiet = TRUE)
  b <- roc(cases$y, cases[[pair[2]]], direction = "<", levels = c(0, 1), quiet = TRUE)
  own <- ci.auc(a, conf.level = 0.9, method = "delong")
  test <- roc.test(a, b, method = "delong", paired = TRUE, conf.level = 0.9)
  rows[[length(rows) + 1]] <- data.frame(
    a = pair[1], b = pair[2], auc_a = as.numeric(auc(a)), auc_b = as.numeric(auc(b)),
    variance_a = var(a, method = "delong"), low_a = own[1], high_a = own[3],
    z = as.numeric(test$statistic), p_value = test$p.value, low = test$conf.int[1], high = test$conf.int[2]
  )
}
options(digits = 17)
write.csv(do.call(rbind, rows), file.path(here, "delong.csv"), row.names = FALSE)
