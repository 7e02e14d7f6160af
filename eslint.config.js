import js from '@eslint/js';
import globals from 'globals';

const page = 'src/isocost/report/page';

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'array-callback-return': 'error',
      curly: ['error', 'multi-line'],
      eqeqeq: 'error',
      'max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true }],
      'no-implicit-coercion': 'error',
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-use-before-define': ['error', { functions: false, variables: false }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      // User text goes in as text nodes only.
      'no-restricted-properties': ['error', ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({ property }))],
    },
  },
  // The arithmetic and the words touch no document; everything else is a view.
  {
    files: [`${page}/*.js`],
    ignores: [
      ...['core', 'rules', 'ranges', 'review', 'confidence', 'draws', 'columns', 'say', 'numbers', 'isometrics'],
      ...['format', 'limits', 'settled', 'state', 'task', 'warnings'],
    ].map((name) => `${page}/${name}.js`),
    languageOptions: { globals: globals.browser },
  },
  { files: ['scripts/*.mjs'], languageOptions: { globals: globals.node } },
];
