// The tools of the view "More", in their order: title, question, sign, what each needs ("data", "label" or "scores").

import { build as combining } from "./combining.js";
import { build as counts } from "./counts.js";
import { build as figures } from "./figures.js";
import { build as froc } from "./froc.js";
import { build as logistic } from "./logistic.js";
import { build as manyClasses } from "./many_classes.js";
import { build as oneSample } from "./one_sample.js";
import { build as points } from "./points.js";
import { build as printed } from "./printed.js";
import { build as rankTests } from "./rank_tests.js";
import { build as readerSizes } from "./reader_sizes.js";
import { build as sampleSize } from "./sample_size.js";
import { build as screening } from "./screening.js";
import { build as tour } from "./tour.js";
import { build as twoLists } from "./two_lists.js";

const tool = (title, words, sign, build, needs = null) => ({ title, words, sign, build, needs });

export const TOOLS = {
  tour: tool("Step by step", "How a ROC curve comes about: threshold, walk, ties, area, hull, costs", "tour", tour),
  figure: tool("Figures", "Every figure that scores can draw, ready for a paper", "curves", figures, "scores"),
  multiclass: tool("Many classes", "How well are three or more classes told apart?", "hull", manyClasses, "data"),
  screen: tool("Screening", "Which of many markers tell the classes apart?", "rank", screening, "label"),
  logistic: tool("Logistic regression", "Coefficients, odds ratios, fitted probabilities", "train", logistic, "label"),
  combine: tool("Combine scores", "What do two scores reach together?", "mix", combining, "data"),
  counts: tool("A 2 × 2 table", "Rates and their intervals from four counts", "point", counts),
  lists: tool("Two lists of values", "Positive cases in one list, negative ones in another", "copy", twoLists),
  points: tool("Points", "Operating points of radars, readers or papers: hull and best", "rates", points),
  froc: tool("Marks of a detector", "How many lesions are found, at how many false marks per scan? (FROC)", "images", froc, "data"),
  rank: tool("Rank tests", "Do samples come from one distribution?", "compare", rankTests, "data"),
  sample: tool("One sample", "Does a column come from this distribution? (Kolmogorov)", "cutoffs", oneSample, "data"),
  plan: tool("Sample size", "How many cases does a study need?", "size", sampleSize),
  reader_plan: tool("Readers and cases", "How many readers and cases does a reader study need?", "readers", readerSizes),
  reproduce: tool("Printed examples", "What texts print, beside ours", "report", printed),
};
