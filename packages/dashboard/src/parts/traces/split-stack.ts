const frame = /^\s+at /
/** Files of hosted code or, with a source map, of its sources, and places in the document of a flow bot. */
const ownFrame =
  /\bbot\.(cjs|json)\b|(?:\(|at )(?!file:|node:|\/)[^\s():]+\.[cm]?[jt]sx?:\d+:\d+/

/**
 * Separates the frames of the server and of Node. A trace without any frame of the bot, as of code
 * that calls back from a timer, stays complete.
 */
export function splitStack(text: string): { own: string; inner: string[] } {
  const lines = text.split('\n')
  const isInner = (line: string) => frame.test(line) && !ownFrame.test(line)
  const hasOwn = lines.some((line) => frame.test(line) && ownFrame.test(line))
  if (!hasOwn) return { own: text, inner: [] }
  return {
    own: lines.filter((line) => !isInner(line)).join('\n'),
    inner: lines.filter(isInner),
  }
}
