// Generated and committed files: one OpenAPI document per family, and the tables of two pages in docs. Needs a build first.
import { families, toOpenApi } from '../packages/contract/dist/index.js'
import { cardReference, documentReference } from './documents/flows.js'
import { withParts } from './documents/marked.js'
import { limitsTable, settingsTable } from './documents/settings.js'

/** Path from the root of the project, and text. */
export const generated = () => [
  ...Object.keys(families).map((name) => ({
    path: `packages/contract/openapi/${name}.json`,
    text: `${JSON.stringify(toOpenApi(name), null, 2)}\n`,
  })),
  withParts('docs/configuration.md', { settings: settingsTable(), limits: limitsTable() }),
  withParts('docs/flows.md', { cards: cardReference(), document: documentReference() }),
]
