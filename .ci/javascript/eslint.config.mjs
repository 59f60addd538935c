// Style of the scripts of report and workbench: what could go wrong unseen, no matters of taste.

import js from "@eslint/js";

const browser = {
  Blob: "readonly", clearTimeout: "readonly", CSS: "readonly", document: "readonly", DOMParser: "readonly", Event: "readonly",
  getComputedStyle: "readonly", Image: "readonly", location: "readonly",
  navigator: "readonly", PointerEvent: "readonly", requestAnimationFrame: "readonly", ResizeObserver: "readonly",
  setTimeout: "readonly", structuredClone: "readonly", URL: "readonly", window: "readonly", XMLSerializer: "readonly",
};

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-return": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-param-reassign": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "AssignmentExpression[left.property.name='innerHTML']", message: "Names come from data: use textContent." },
      ],
      "no-shadow": "error",
      "no-unused-vars": "error",
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
