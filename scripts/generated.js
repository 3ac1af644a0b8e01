// Generates the committed files: one OpenAPI document per family, and the tables of pages in docs.
// Requires a build.
import { families, toOpenApi } from '../packages/contract/dist/index.js'
import { agentReference, cardReference, documentReference } from './documents/flows.js'
import { withParts } from './documents/marked.js'
import { limitsTable, settingsTable } from './documents/settings.js'

/** Returns path, relative to the repository, and text of each file. */
export const generated = () => [
  ...Object.keys(families).map((name) => ({
    path: `packages/contract/openapi/${name}.json`,
    text: `${JSON.stringify(toOpenApi(name), null, 2)}\n`,
  })),
  withParts('docs/configuration.md', { settings: settingsTable(), limits: limitsTable() }),
  withParts('docs/flows.md', { cards: cardReference(), document: documentReference() }),
  withParts('docs/agents.md', { agents: agentReference() }),
]
