// Content of a bot: versions, files, knowledge bases and tables.
import { type Command, Option } from 'commander'
import { CliError } from '../failure.ts'
import type { Context } from '../server/context.ts'
import { formatTime, printDone, printObject } from '../terminal/printing.ts'
import { formatSize } from '../terminal/progress.ts'
import { wholeNumber } from '../terminal/whole-number.ts'
import { choice } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addTableVerbs } from './table-commands.ts'
import { addList, addVerb, noun } from './verbs.ts'

const fileStates = [
  'upload_pending',
  'upload_failed',
  'upload_completed',
  'indexing_pending',
  'indexing_failed',
  'indexing_completed',
] as const

export function addContentCommands(program: Command): void {
  addBotVerbs(noun(program, 'bots', 'bots of the workspace'))
  addVersionVerbs(noun(program, 'versions', 'versions of a bot'))
  addFileVerbs(noun(program, 'files', 'files of a bot'))
  addKnowledgeVerbs(
    noun(program, 'knowledge', 'knowledge bases of a bot, and their websites'),
  )
  addTableVerbs(noun(program, 'tables', 'tables of a bot'))
}

function addBotVerbs(bots: Command): void {
  addOperationList(bots, 'list', {
    operation: 'platform.listBotOverviews',
    scope: 'workspace',
    about: 'list the bots of the workspace',
    options: [
      new Option('--search <text>', 'only with this text in the name'),
      new Option('--dev', 'only development bots'),
    ],
    examples: ['botstead bots', 'botstead bots --json | jq -r .id'],
    columns: {
      id: ({ id }) => id,
      updated: ({ updatedAt }) => formatTime(updatedAt),
      health: ({ health, blocked }) => (blocked ? 'blocked' : health),
      today: ({ messagesToday }) => messagesToday,
      pending: ({ pendingDeliveries }) => pendingDeliveries,
      dead: ({ deadLetters }) => deadLetters,
      issues: ({ openIssues }) => openIssues,
      name: ({ name }) => name,
    },
  })
  addVerb(bots, 'show [id]', {
    about: 'print a bot',
    examples: ['botstead bots show', 'botstead bots show bot_01K… --json'],
    run: async ({ client, botId, options }, id = botId) => {
      const { bot } = await client.admin.getBot({ params: { id } })
      const { signingSecret: _, ...shown } = bot
      printObject(shown, options)
    },
  })
  addOperation(bots, 'delete <id>', {
    operation: 'admin.deleteBot',
    scope: 'workspace',
    about: 'delete a bot with all its data',
    deletes: { effect: (id) => `deletes the bot ${id} with all its data`, isLarge: true },
    examples: ['botstead bots delete bot_01K…'],
  })
}

function addVersionVerbs(versions: Command): void {
  addList(versions, 'list', {
    about: 'list the versions of a bot, newest first; a star marks the running one',
    examples: ['botstead versions', 'botstead versions --bot bot_01K… --json'],
    read: async ({ client, botId }) => {
      const { versions, running } = await client.platform.listVersions({
        params: { botId },
      })
      return versions.map((one) => ({ ...one, isRunning: one.id === running?.versionId }))
    },
    columns: {
      id: ({ id }) => id,
      number: ({ number, isRunning }) => `${number ?? ''}${isRunning ? '*' : ''}`,
      deployed: ({ deployedAt }) => formatTime(deployedAt),
      author: ({ author }) => author,
      name: ({ name, description }) => (description ? `${name}: ${description}` : name),
    },
  })
  addOperation(versions, 'create <name>', {
    operation: 'admin.createBotVersion',
    fields: { bot: 'id' },
    about: 'save the present state of a bot as a version',
    options: [new Option('--description <text>', 'description of the version')],
    examples: ['botstead versions create "before the sale"'],
    done: ({ id }) => `Created ${id}`,
  })
  addVerb(versions, 'deploy <version>', {
    about: 'run a version again: its code, definitions and installations',
    examples: ['botstead versions deploy 3', 'botstead versions deploy version_01K…'],
    run: async ({ client, botId, options }, version) => {
      const versionId = await toVersionId(client, botId, version!)
      await client.admin.deployBotVersion({ params: { id: botId }, body: { versionId } })
      printDone(`Deployed ${versionId}`, { deployed: versionId }, options)
    },
  })
  addVerb(versions, 'delete <version>', {
    about: 'delete a version that does not run',
    deletes: { effect: (id) => `deletes the version ${id}` },
    examples: ['botstead versions delete 3', 'botstead versions delete version_01K…'],
    run: async ({ client, botId, options }, version) => {
      const versionId = await toVersionId(client, botId, version!)
      await client.platform.deleteVersion({ params: { botId, versionId } })
      printDone(`Deleted ${versionId}`, { deleted: versionId }, options)
    },
  })
}

/** Returns the id of the version with a number, such as `3` or `#3`. Other texts are ids. */
async function toVersionId(
  client: Context<object>['client'],
  botId: string,
  version: string,
): Promise<string> {
  const [, digits] = /^#?(\d{1,9})$/.exec(version) ?? []
  if (digits === undefined) return version
  const { versions } = await client.platform.listVersions({ params: { botId } })
  const found = versions.find(({ number }) => number === Number(digits))
  if (found) return found.id
  throw new CliError(`the bot has no version ${digits}: "versions" lists them`)
}

interface UploadOptions {
  knowledge?: string
  prefix?: string
  index?: boolean
}

function addFileVerbs(files: Command): void {
  addOperationList(files, 'list', {
    operation: 'platform.searchFilesByName',
    fields: { knowledge: 'knowledgeBaseId' },
    about: 'list or search files by name, newest first',
    options: [
      new Option('--name <words>', 'only with these beginnings of words in the key'),
      new Option('--knowledge <id>', 'only of this knowledge base'),
      choice('--status <status>', 'only with this status', fileStates),
    ],
    examples: ['botstead files', 'botstead files --status indexing_failed --json'],
    keepsEnd: true,
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      size: ({ size }) => (size === null ? '' : formatSize(size)),
      status: ({ status }) => status.replace('_', ' '),
      key: ({ key }) => key,
    },
  })
  addOperation(files, 'show <id>', {
    operation: 'files.getFile',
    about: 'print a file, with the URL of its content',
    examples: ['botstead files show file_01K…'],
  })
  addVerb(files, 'upload <paths...>', {
    about: 'upload files and folders; files with the same key and content are skipped',
    options: [
      new Option(
        '--knowledge <id>',
        'knowledge base of the files, which are then indexed',
      ),
      new Option(
        '--prefix <text>',
        'beginning of the keys, before the path in the folder',
      ),
      new Option('--index', 'index the files for search'),
    ],
    examples: [
      'botstead files upload manual.pdf',
      'botstead files upload ./handbook --knowledge kb_01K…',
    ],
    run: async (context: Context<UploadOptions>, paths: string[]) =>
      (await import('../commands/files.ts')).upload(context, paths),
  })
  addVerb(files, 'download <id>', {
    about: 'write the content of a file to a file or to standard output',
    options: [new Option('-o, --output <file>', 'file, by default standard output')],
    examples: ['botstead files download file_01K… -o manual.pdf'],
    run: async (context: Context<{ output?: string }>, id: string) =>
      (await import('../commands/files.ts')).download(context, id),
  })
  addList(files, 'search <words>', {
    about: 'search the indexed files, best passage first',
    options: [new Option('--knowledge <id>', 'only in this knowledge base')],
    examples: ['botstead files search "opening hours"'],
    read: async ({ client, options }: Context<{ knowledge?: string }>, words: string) => {
      const query = {
        query: words,
        knowledgeBaseId: options.knowledge,
        limit:
          options.limit === undefined ? undefined : wholeNumber('--limit', options.limit),
      }
      return (await client.platform.explainSearch({ query })).passages
    },
    columns: {
      score: ({ score }) => score.toFixed(2),
      file: ({ fileKey, pageNumber }) =>
        pageNumber === undefined ? fileKey : `${fileKey}, page ${pageNumber}`,
      passage: ({ content }) => content,
    },
  })
  addOperation(files, 'delete <id>', {
    operation: 'files.deleteFile',
    about: 'delete a file',
    deletes: { effect: (id) => `deletes the file ${id}` },
    examples: ['botstead files delete file_01K…'],
  })
}

function addKnowledgeVerbs(knowledge: Command): void {
  addOperationList(knowledge, 'list', {
    operation: 'files.listKnowledgeBases',
    about: 'list the knowledge bases',
    examples: ['botstead knowledge', 'botstead knowledge --json'],
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      name: ({ name }) => name,
    },
  })
  addOperation(knowledge, 'create <name>', {
    operation: 'files.createKnowledgeBase',
    about:
      'create a knowledge base, and print its id; "files upload --knowledge" fills it',
    examples: ['botstead knowledge create "Handbook"'],
    done: ({ id }) => id,
  })
  addOperation(knowledge, 'delete <id>', {
    operation: 'files.deleteKnowledgeBase',
    about: 'delete a knowledge base with its files',
    deletes: {
      effect: (id) => `deletes the knowledge base ${id} with its files`,
      isLarge: true,
    },
    examples: ['botstead knowledge delete kb_01K…'],
  })
  addOperationList(knowledge, 'websites', {
    operation: 'platform.listKnowledgeSources',
    fields: { knowledge: 'knowledgeBaseId' },
    about: 'list the websites that the server reads into knowledge bases',
    options: [new Option('--knowledge <id>', 'only of this knowledge base')],
    examples: ['botstead knowledge websites'],
    columns: {
      id: ({ id }) => id,
      status: ({ status }) => status,
      pages: ({ pages }) => `${pages.done}/${pages.total}`,
      schedule: ({ schedule }) => schedule,
      refreshed: ({ refreshedAt }) => formatTime(refreshedAt),
      url: ({ url, problem }) => (problem ? `${url}: ${problem}` : url),
    },
  })
  addOperation(knowledge, 'add-website <id> <url>', {
    operation: 'platform.createKnowledgeSource',
    fields: { id: 'knowledgeBaseId' },
    about: 'read a page or the pages of a sitemap into a knowledge base',
    options: [
      choice('--type <type>', 'kind of the URL', ['page', 'sitemap']).default('page'),
      choice('--schedule <schedule>', 'how often to read it again', [
        'off',
        'daily',
        'weekly',
        'monthly',
      ]).default('off'),
    ],
    examples: [
      'botstead knowledge add-website kb_01K… https://example.org/sitemap.xml --type sitemap',
    ],
    done: ({ id }) => `Created ${id}`,
  })
  addOperation(knowledge, 'refresh <website>', {
    operation: 'platform.refreshKnowledgeSource',
    fields: { website: 'id' },
    about: 'read a website again',
    examples: ['botstead knowledge refresh ks_01K…'],
    done: ({ url }) => `Refreshing ${url}`,
  })
}
