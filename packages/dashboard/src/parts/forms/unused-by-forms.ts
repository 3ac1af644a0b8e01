// Replaces parts of the form library that no form uses: its validator, which the dashboard has itself, and
// Markdown in descriptions: its package is not installed.

const toPlain = ({ children }: { children: string }) => children

export { toPlain as Markdown }
export default null
