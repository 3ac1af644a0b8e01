// Pages of the example bots: a list, and the document of each.
import { examplePages } from '../../scripts/documents/examples.js'

export default {
  paths: () => examplePages().map(({ text, ...params }) => ({ params, content: text })),
}
