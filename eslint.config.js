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
      'max-len': ['error', { code: 120 }],
      'max-lines': ['error', { max: 400 }],
      'no-implicit-coercion': 'error',
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-use-before-define': ['error', { functions: false, variables: false }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-template': 'error',
      // User text goes in as text nodes only.
      'no-restricted-properties': [
        'error',
        ...['innerHTML', 'outerHTML', 'insertAdjacentHTML'].map((property) => ({ property })),
      ],
    },
  },
  // The arithmetic and the words touch no document; everything else is a view.
  {
    files: [`${page}/*.js`],
    ignores: [
      ...['core', 'beliefs', 'resamples', 'isometrics', 'methods', 'numbers', 'words'],
      ...['review', 'reviewing', 'review_words'],
    ].map((name) => `${page}/${name}.js`),
    languageOptions: { globals: globals.browser },
  },
  { files: ['scripts/*.mjs'], languageOptions: { globals: globals.node } },
];
