// The views: which there are, in which order, and what each needs before it can answer.

import { CompareView } from "./compare.js";
import { CurvesView } from "./curves.js";
import { CutoffsView } from "./cutoffs.js";
import { DataView } from "./data.js";
import { ImagesView } from "./images.js";
import { MoreView } from "./more.js";
import { PointView } from "./point.js";
import { RatesView } from "./rates.js";
import { ReadersView } from "./readers.js";
import { StartView } from "./start.js";
import { TimeView } from "./time.js";
import { TrainView } from "./train.js";

export const VIEWS = {
  start: { View: StartView }, data: { View: DataView, needs: "data" }, curves: { View: CurvesView, needs: "overview" }, point: { View: PointView, needs: "overview" },
  compare: { View: CompareView, needs: "overview" }, rates: { View: RatesView, needs: "label" }, cutoffs: { View: CutoffsView, needs: "overview" }, time: { View: TimeView, needs: "data" }, train: { View: TrainView, needs: "data" }, readers: { View: ReadersView }, images: { View: ImagesView }, more: { View: MoreView },
};
export const GROUPS = [["Data", ["start", "data"]], ["Questions", ["curves", "point", "compare", "rates", "cutoffs", "time"]], ["Studies", ["train", "readers", "images", "more"]]];
export const TITLES = {
  start: "Start", data: "Data", curves: "Curves", point: "Operating point", compare: "Compare", rates: "Rates", cutoffs: "Cut-offs", time: "Over time", train: "Train and test", readers: "Readers", images: "Images", more: "More",
};
