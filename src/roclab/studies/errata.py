"""What is wrong in the source texts: where, what is printed, what is right, and how that was found."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ERRATA", "Erratum"]


class Erratum(NamedTuple):
    """One misprint or mistake."""

    where: str
    printed: str
    correct: str
    evidence: str

    def says(self) -> str:
        """In one line."""
        return f"printed {self.printed}; correct is {self.correct} ({self.evidence})"


ERRATA: dict[str, Erratum] = {
    "E1": Erratum("Greek fig 2.1", "F-score=Precision x Recall", "2PR/(P+R) (Slovenian is right)", "X11: .695 vs .504"),
    "E2": Erratum(
        "Greek Alg 3 line 9", "keep T if SLOPE(T2,T) < SLOPE(T,P)", ">", "as printed fig 2.3 collapses to the diagonal"
    ),
    "E3": Erratum(
        "Greek Alg 4 line 16",
        "TRAP_AREA(1,FPprev,1,TPprev)",
        "(N,FPprev,P,TPprev)",
        "as printed fig 2.3 gives 1.02, slov10 gives .38 (true .86)",
    ),
    "E4": Erratum(
        "English eq 4.47",
        "s=P(w+)cFP/(P(w-)cFN)",
        "P(w-)cFP/(P(w+)cFN)",
        "Italian table 4.4 header, Greek 2.8.1, cost minimisation",
    ),
    "E5": Erratum(
        "Greek fig 2.11",
        "AND (.08,.42), OR (.45,.9) for (.2,.8),(.4,.6)",
        "(.08,.48), (.52,.92); .42 needs TPR1=.7",
        "own formulas of 2.8.8",
    ),
    "E6": Erratum(
        "Greek 1.4.2 B step 1",
        "f_j = height at the top of the jump",
        "bottom (the example itself uses .4)",
        "enumeration: bottom .02081, top .0994",
    ),
    "E7": Erratum("Greek 3.3.1 eq 5", "m^{-1.5}", "m^{-1/5}", "Duchenne K1 .787 with -1/5, .867 with -1.5"),
    "E8": Erratum("Greek eq 8", "C(k,j) c_{k-j} b_j", "C(k,j) c_j^{k-j} b_j", "enumeration; printed gives .0129"),
    "E9": Erratum("Greek eq 11", "0.2081", "0.02081", "recomputed .0208086"),
    "E10": Erratum("Greek e_4 line", "-4(0.4)(0.208)", "-4(0.2)(0.208); result .2944 is right", "arithmetic"),
    "E11": Erratum(
        "Greek 1.4.2", 't* in f_j, "exceeds 1-alpha"', 't+, "exceeds the 1-alpha quantile w"', "Conover; example"
    ),
    "E12": Erratum(
        "Greek ex. 3",
        '27.0 25.1 35.8; band U and S; population "completely known"',
        "35.1; U and L; unknown",
        "sort order; text of (13)-(14)",
    ),
    "E13": Erratum(
        "Greek 2.5; Slovenian step 4; Russian step 3",
        "positives raise FPR; move n+ right, n- up; Se on abscissa",
        "positives up (TPR), negatives right (FPR); 1-Sp on abscissa",
        "any example; sklearn",
    ),
    "E14": Erratum("Greek 2.3.1", "negation: TP become FP, FP become TP", "TP->FN, FP->TN", "Italian 3.2.2; matrix"),
    "E15": Erratum(
        "Italian 3.2.2",
        "negated point is mirrored in the diagonal",
        "(1-f,1-t): point reflection in (.5,.5)",
        "(.2,.7)->(.8,.3), not (.7,.2)",
    ),
    "E16": Erratum(
        "Italian 3.3.1; English",
        "trapezoid always underestimates / the parametric fit underestimates",
        "trapezoid = WMW exactly on all vertices; bias is of the trapezoid on coarse ratings",
        "pROC, brute force",
    ),
    "E17": Erratum(
        "Italian eq 3.7",
        't2AUC weight sqrt(fpr), "favours low fpr"',
        "sqrt(1-fpr)",
        "performance_tie_a: printed weight picks the wrong curve",
    ),
    "E18": Erratum(
        "Italian 3.4.4",
        "1/6 is a lower limit (after inversion)",
        "not a bound; tAUC'=1/2-A+tAUC; the true bounds are A^2/2 <= tAUC <= A/2",
        "A=.5 by the step at FPR .5: tAUC .125 both ways",
    ),
    "E19": Erratum("Italian 3.4.4.2", "tCost without Pr(p), Pr(n)", "keep them", "substitution of 3.13 in 3.2"),
    "E20": Erratum(
        "Italian 3.4.5.2", "triple indicator = tAUC <= .5", "exceeds by A/(2N); can be > .5", "perfect 3x4: .625"
    ),
    "E21": Erratum(
        "Italian",
        '"ITAE<->AUC", (0,0) "bottom right", fig 4.3 "experiment 2", Parzen A=.5252 "worse than random"',
        "IAE; bottom left; experiment 3; A>.5 (only its tAUC is low)",
        "context",
    ),
    "E22": Erratum(
        "Greek 3.3.4",
        "slope (B_TN-C_FP)/(B_TP-C_FN)",
        "+ signs for positive costs (minus only if C are negative utilities)",
        "decision analysis; reduces to 2.3 with B=0",
    ),
    "E23": Erratum(
        "Greek 3.3.3-3.3.4",
        "E = skewness, R = crossing of the negative diagonal",
        "reversed: A=E/(E+1), R = asymmetry (caption 1.18); R=.5 only nearly symmetric",
        "E=2: (.2,.4036) mirrors to (.5964,.8), curve gives .8047",
    ),
    "E24": Erratum(
        "Greek 3.3.4",
        "mu0>mu1: TP=1-(1-FP)^k",
        "exponentials give TP=FP^(mu0/mu1) always; the other form is the mirrored curve",
        "integration",
    ),
    "E25": Erratum(
        "Greek 2.8.1",
        "p(p) FP c(Y,n); points (TP,FP)",
        "p(n) FP c(Y,n); (FP,TP)",
        "printed correctly lower on the same page",
    ),
    "E26": Erratum(
        "Greek 2.5.2", "s segment left/right swapped", "concavity: slope r followed on the right by s>r", "geometry"
    ),
    "E27": Erratum(
        "Greek 2.6",
        "B falls below A beyond the point; fig 2.2a",
        "A (one point, interpolated) falls below B; fig 2.8a",
        "geometry",
    ),
    "E28": Erratum("Greek 2.8.5", "|C|(|C|-1) pairs", "half of that, unordered", "formula 2/(k(k-1))"),
    "E29": Erratum(
        "Greek 2.9.1-2.9.2",
        "DET x = TP, log axes; perfect cost line (0,0)-(0,1)",
        "x = FP, normal-deviate axes (Martin 1997); (0,0)-(1,0)",
        "Drummond-Holte algebra",
    ),
    "E30": Erratum(
        "English",
        "higher threshold raises SE; better = closer to (1,1); bivariate normal",
        "lowers SE; (0,1); binormal",
        "definitions",
    ),
    "E31": Erratum(
        "English eq 4.48, 4.50-4.51",
        "Q1 twice; eps(M1) twice; last radicand cut",
        "Q2=2A^2/(1+A); eps(M2); -2 r eps1 eps2",
        "Russian, Greek; pROC agreement",
    ),
    "E32": Erratum(
        "Russian trapezoid",
        "sum over data thresholds only",
        "start from (0,0): area lost when the top score is shared by both classes",
        "scores 2,2,1 labels 1,0,0: .50 vs true .75",
    ),
    "E33": Erratum(
        "Russian",
        "dlnL/dln b; I^1(B); convergence from any start; g uses row X_j",
        "dlnL/db; I^-1; fails under separation; X_j^T",
        "statsmodels, logistic_separation",
    ),
    "E34": Erratum(
        "Greek 3.2",
        "MW .870, RC .875",
        ".8674 (half ties), .8677; .870 only by arbitrary tie breaking (strict .8630, >= .8719)",
        "same data reproduce the other six to 3 digits",
    ),
    "E35": Erratum(
        "Greek captions III, VII-X",
        'Y^{1/3}; N(mu+8.5), N(mu+4.5); "table VIII" four times',
        "^{-1/3} with X/Y swapped; N(mu+8,5) read as variance 1 (VII), N(mu+4,5); VIII, IX, X",
        "section 11",
    ),
    "E36": Erratum(
        "Greek 3.x wording",
        '"klisi"/"protimisi"; Gauss spelled as a name; refs 19, 40',
        "bias; GAUSS; tables are Faraggi & Reiser, Stat Med 2002 21:3093-3106",
        "running heads in the scan",
    ),
    "E37": Erratum(
        "Greek table 4.4, X1",
        "optimum 1964.5 with SE .893, SP .063",
        "SE+SP=.956<1 is no optimum; direction is reversed (A=.198 -> .802, the best variable)",
        "trivial cut-offs give 1",
    ),
    "E38": Erratum(
        "Greek ch 4",
        'n=10.333; "accurate" variables',
        "confusion matrices sum to 10334 (7308/3026); every accuracy (.459-.650) is below the majority rate .707",
        "arithmetic",
    ),
    "E39": Erratum("Greek 1.2-1.3", "no tie correction; two sections 1.4", "see 8.1-8.2", "R"),
    "E40": Erratum(
        "Slovenian",
        'FN "false positive", FN = negatives called positive; NPV among negatives; AUC .5 is the minimum',
        "FN = positives called negative; among negative predictions; minimum 0",
        "table 5.1",
    ),
    "E41": Erratum(
        "Italian eq 2.7-2.8, App. A.2",
        "q outside the sum; M_k in the denominator; repmat(Nz,n)",
        "(qD)^(-1/(q-1)) inside; M_i; repmat(Nz,1,n)",
        "derivation from 2.5",
    ),
    "E42": Erratum(
        "Greek Alg 6, 5",
        "int(len/samples) may be 0 (endless loop); vertices without score",
        "max(1,.); store score per vertex, +inf for (0,0)",
        "run",
    ),
    "E43": Erratum("Greek 3.3.3", 'F_1^2 ; variance called "(2)"', "Gauss 2F1; formula 3.1a", "numeric integration"),
    "E44": Erratum(
        "Greek T+ example", 'F*(0.3289)-S = .2289 "rounds"', "sup is the left limit .329-.1=.229", "left limits"
    ),
    "E45": Erratum(
        "Greek 1.4.2",
        "f_j, e_j belong to T+",
        "they belong to T-=sup(S-F*), c_j, b_j to T+=sup(F*-S); equal only for symmetric F*",
        "enumeration: p=(.7,.2,.1), n=6, t=.5: P(T+)=.01167, P(T-)=0",
    ),
    "E46": Erratum(
        "Italian tables 4.1-4.3, 3.5",
        "ten (A, tAUC) pairs with tAUC < A^2/2: Nearest Mean and Fisher in 4.1-4.3, Parzen in 4.1 and 4.2, K-NN "
        "in 4.2, "
        "RBF on pima in 3.5",
        "impossible for any monotone curve, fold mean or vertical average; probably trapezoids through few tROC points",
        "Chebyshev: TPR rises, 1-FPR falls, so tAUC <= A/2; the step curve gives A^2/2",
    ),
    "E47": Erratum(
        "Italian 4.3.1",
        "tROC shows the inferior detectors more clearly",
        "rests on the impossible values of E46",
        "E46",
    ),
    "E48": Erratum(
        "Italian eq 3.7, purpose",
        "t2AUC favours low FPR more than tAUC",
        "even the corrected weight sqrt(1-f) puts 14.6% of its weight on FPR < .1, (1-f) 19%, (1-f)^2 27.1%: the "
        "analogue "
        "with that purpose is (1-f)^2 (perfect 1/3, random 1/12)",
        "integration",
    ),
    "E49": Erratum(
        "Italian 3.3.2; 3.4.4.3; 4.3.1; 4.3.3; 2.3.4",
        'best by mixed columns; mirror symmetry is the condition of a tie; AUC and tAUC "agree"; logistic "improves"; '
        ".4259 vs .4245 as evidence; 4 pixels are 2.5 mm",
        "Fisher by Wilcoxon, Logistic by trapezoid; sufficient, not necessary; NB/QDC and K-NN/RBF swap; .8945 = "
        ".8945; no "
        "interval on 64 positives; needs 1.1 mm pixels",
        "tables; arithmetic",
    ),
    "E50": Erratum(
        "Slovenian",
        "area under a segment = misclassified cases; P(x+>x-) on its table; \"B's Pareto front covers A's\"; senators; "
        '"Receiving operator"',
        "correctly ordered pairs; ties count one half (.86, strict .80); (.40,.60) and (.90,.85) of A are "
        "undominated as "
        "points, covered only by interpolation or hull; House of Representatives; receiver operating",
        "table 5.2, 5.3",
    ),
    "E51": Erratum(
        "Russian",
        "Z of two curves cites the same-cases paper; |b|/SE and |Z| normal; index j",
        "holds for independent samples only (no covariance); half-normal; i",
        "definitions",
    ),
    "E52": Erratum(
        "English",
        "0 <= (1-SP) >= .15; Breiman's Gini index",
        "<= .15; Gini coefficient 2A-1",
        "definitions",
    ),
    "E53": Erratum(
        "Greek 4.3",
        "largest TP+TN equals largest TPR+TNR",
        "for X11 the cut-offs are 0 (all positive) and 24.5",
        "counts rebuilt from table 4.2",
    ),
    "E54": Erratum(
        "Greek ch 4",
        "SE .005 on 10334 records; AUC of X2; magnitude 6.5; X9/X10 names",
        "records of one earthquake share its depth (23 distinct values), so errors are clustered and far larger; a "
        "prefecture number is nominal; unassigned; abscissa and ordinate are swapped",
        "on a public set of 25 events the depth SE is .0155 by DeLong, .144 clustered",
    ),
    "E55": Erratum(
        "Greek 3.6; 2.4.2",
        "NT preferred if mixtures are suspected; large prevalence changes unrealistic",
        "the reverse of 3.1 and table VII; its own examples show them",
        "tables",
    ),
    "E56": Erratum(
        "Italian eq 2.10",
        "the Hessian proves that J falls at every iteration",
        "for one pixel with its neighbours held, not for all at once; colour by colour it holds",
        "1 x 8 images: J rises in 890 of 1500 runs; none by colours",
    ),
    "E57": Erratum(
        "Italian App. A.1",
        "an end after the block of init_neigh",
        "without it",
        "Octave 7.3 returns before the main loop",
    ),
    "E58": Erratum(
        "Italian App. A", "D^(-1/(q-1)) for every D", "D = 0 takes all of the membership", "0^-1/Inf is NaN"
    ),
    "E59": Erratum(
        "Italian App. A",
        "if nargin<k flag_3d=0 else 1; rfc, steprfc; U(i,j) is data j in cluster j; initfcm initialises the centroids",
        "the value of flag_3d counts; rfcm, steprfcm; cluster i; it initialises U",
        "flag_3d=0 fails with 'P' undefined; the calls",
    ),
    "E60": Erratum(
        "Italian App. A.1",
        "returned U, centres and J belong together",
        "J is that of the old U and the new centres, and U is one step ahead of both",
        "order of the statements",
    ),
    "E61": Erratum(
        "Italian App. A.1",
        "|J_i - J_(i-1)| < 1e-5",
        "a relative change: with HU J is 1e7 to 1e11, and abs() hides a rise",
        "5 of 15 runs end at step 100 only",
    ),
    "E62": Erratum(
        "Italian 2.1", "regions of interest dark, air light", "in HU nodules are bright and air dark", "the HU scale"
    ),
    "E63": Erratum(
        "Italian ch. 1",
        "sensitivity and specificity as shares of all subjects",
        "of the diseased, and of the healthy",
        "definitions",
    ),
    "E64": Erratum(
        "English", "the best corner of ROC space is not the upper left", "upper left, (0, 1)", "definitions"
    ),
}
