// A piece of an author's code as the compiler hands it to the engine. Whoever runs it shows errors in the author's words: `map` leads back to `source`.

export interface Script {
  /** The file, or the JSON pointer of the place in the document. */
  name: string
  /** As the author wrote it. */
  source: string
  /** Plain JavaScript: the expression `(async () => { … })`, to be evaluated where the globals are, and called. */
  js: string
  /** A source map from `js` to `source`. */
  map: string
}
