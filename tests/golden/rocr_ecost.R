# Lower envelopes in cost space by ROCR, for tests/curves/test_rocr.py.
# Run from the repository's root with Debian's r-cran-rocr: Rscript tests/golden/rocr_ecost.R
library(ROCR)
predictions <- read.csv("src/isocost/examples/german_credit_predictions.csv", check.names = FALSE)
rows <- list()
for (model in setdiff(names(predictions), "bad")) {
  for (digits in c(6, 1)) {  # nearly distinct scores, and heavily tied ones
    scores <- floor(predictions[[model]] * 10^digits) / 10^digits
    curve <- performance(prediction(scores, predictions$bad), "ecost")
    rows[[length(rows) + 1]] <- data.frame(
      model = model, digits = digits,
      pcf = curve@x.values[[1]], cost = curve@y.values[[1]]
    )
  }
}
table <- do.call(rbind, rows)
table$pcf <- sprintf("%.17g", table$pcf)
table$cost <- sprintf("%.17g", table$cost)
write.csv(table, "tests/golden/rocr_ecost.csv", row.names = FALSE, quote = FALSE)
cat("ROCR", as.character(packageVersion("ROCR")), "on", R.version.string, "\n")
