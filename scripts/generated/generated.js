// Generates the committed files: the lists of the contract and of handlers, one OpenAPI document per family,
// and the tables of pages in docs.
// Requires a build.
import { families, toOpenApi } from '../../packages/contract/dist/index.js'
import { builderTables } from '../documents/builders.js'
import { channelContents, channelPages } from '../documents/channel-pages.js'
import { messageTable } from '../documents/channels.js'
import { commandReference, exitCodeTable } from '../documents/commands.js'
import { agentReference, cardReference, documentReference } from '../documents/flows.js'
import { handlerLists } from '../documents/handlers.js'
import { withParts } from '../documents/marked.js'
import { roleTable } from '../documents/roles.js'
import { limitsTable, settingsTable, settingTexts } from '../documents/settings.js'
import { generateRegistry } from './registry.js'
import { statementList } from './statements.js'

/** Returns path, relative to the repository, and text of each file. */
export const generated = () => [
  ...generateRegistry(),
  ...Object.keys(families).map((/** @type {keyof typeof families} */ name) => ({
    path: `packages/contract/openapi/${name}.json`,
    text: `${JSON.stringify(toOpenApi(name), null, 2)}\n`,
  })),
  ...handlerLists(),
  statementList(),
  withParts('docs/configuration.md', {
    settings: settingsTable(),
    limits: limitsTable(),
  }),
  {
    path: 'packages/dashboard/src/features/operator/setting-texts.json',
    text: `${JSON.stringify(settingTexts(), null, 2)}\n`,
  },
  withParts('docs/flows.md', { cards: cardReference(), document: documentReference() }),
  ...channelPages(),
  withParts('docs/README.md', { channels: channelContents() }),
  withParts('docs/channels.md', { messages: messageTable() }),
  withParts('docs/moving-in.md', { builders: builderTables() }),
  withParts('docs/agents.md', { agents: agentReference() }),
  withParts('docs/roles.md', { roles: roleTable() }),
  withParts('docs/command-line.md', {
    commands: commandReference(),
    'exit codes': exitCodeTable(),
  }),
]
