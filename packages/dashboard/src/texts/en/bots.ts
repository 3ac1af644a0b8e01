import { inLanguage } from '../in-language.ts'
import { amount, thousands } from './amount.ts'

export const bots = inLanguage('bots', {
  title: 'Bots',
  create: 'Create bot',
  empty: 'No bots yet',
  emptyHint: 'Begin with an example, or create one from your own files.',
  emptyViewer: 'Bots of this workspace appear here.',
  search: 'Search by name',
  nothingFound: 'No bot has this name',
  nothingFoundHint: 'Search for another part of the name.',
  dev: 'Development',
  blocked: 'Blocked',
  activity: (messages: number, pending: number) =>
    `${amount(messages, 'message')} today, ${thousands(pending)} pending`,
  name: 'Name',
  health: 'Health',
  pending: 'Pending',
  pendingHint: 'Deliveries that wait for the bot',
  today: 'Messages today',
  deployed: 'Deployed',
  neverDeployed: 'not deployed',
  healths: {
    ok: 'Healthy',
    degraded: 'Has failures',
    failing: 'Failing',
    undeployed: 'Not deployed',
  },
  mended: 'no failures since the deployment',
  broken: 'the code does not load',
  deadLetters: (count: number) => `${thousands(count)} failed`,
  issues: (count: number) => amount(count, 'open issue'),
  newBot: {
    title: 'Create a bot',
    name: 'Name',
    namePlaceholder: 'Support',
    from: 'Start with',
    sources: {
      example: 'An example',
      files: 'Bot files',
      builder: 'Another builder',
      archive: 'An archive',
      scratch: 'From scratch',
      empty: 'Empty bot',
    },
    scratchHint:
      'A bot that greets. You add its questions and answers on the page Flows, without a program.',
    greeting: 'Hello! How can I help you?',
    emptyHint:
      'For developers: a bot that does nothing until you deploy code to it, here or by the command line.',
    isArchive: (file: string) => `${file} is an archive of a workspace`,
    isArchiveHint: 'Operators import it under “Archive”, on this page.',
    atUrl:
      'For developers: to add a bot that runs on your own server, call `createBot` of the API with ' +
      'its `url`.',
    atUrlLink: 'Bots at a URL',
    missing: 'The document does not contain everything',
    setSecrets: (names: string[]) =>
      `Set these secrets in the settings: ${names.join(', ')}.`,
    configure: (aliases: string[]) =>
      `Configure and enable these integrations: ${aliases.join(', ')}.`,
    created: (name: string) => `${name} was created`,
    createdBroken: (name: string) => `${name} was created, but its code does not load`,
  },
  builders: {
    drop: 'Drop an export here',
    hint: 'A bot of Typebot, Dify, Flowise, Voiceflow, Botpress 12 or the Agent Builder of OpenAI.',
    docs: 'How to export it',
    choose: 'Choose a file first',
    empty: (file: string) => `${file} is empty. Export the bot again`,
    tooLarge: (file: string) => `${file} is larger than 10 MB`,
    report: 'Report',
    parts: 'Parts of the bot',
    result: 'Result',
    part: 'Part',
    note: 'Difference, or next step',
    results: { carried: 'Carried', changed: 'With a difference', omitted: 'Not carried' },
    found: (source: string, { carried, changed, omitted }: Record<string, number>) =>
      `${source}: ${carried} carried, ${changed} with a difference, ${omitted} not carried.`,
    more: (count: number) => `And ${amount(count, 'part')} more.`,
    secrets: 'Secrets to set',
    knowledge: 'Documents to upload',
    remarks: 'Please note',
    save: (path: string) => `Save ${path}`,
    name: 'Name',
    create: 'Create the draft',
    created: (name: string) => `${name} was created as a draft`,
  },
  archive: {
    drop: 'Drop an archive here',
    hint:
      'A file of the page Archives or of the command export. It contains a workspace with all of ' +
      'its bots.',
    passphrase: 'Passphrase',
    passphraseHint: 'Of the archive. Leave it empty for an archive without secrets.',
    import: 'Import',
    progress: 'Sent to the server',
    tooLarge: 'The archive is too large for a proxy',
    interrupted: 'The connection ended before the archive was sent',
    tooLargeHint:
      'A proxy in front of the server may limit the size of bodies. Raise its limit, or import the ' +
      'archive on the machine of the server: `npm run botstead -- import <archive>`',
    checking: 'The server checks the archive and stores its content …',
    done: (workspace: string, rows: number) =>
      `${workspace} was imported: ${amount(rows, 'row')}`,
    signer: (signer: string) => `Signed by ${signer}`,
    noSecrets:
      'The archive has no secrets: set those of bots and integrations, and the configurations of ' +
      'installed integrations.',
    open: 'Open the workspace',
    notMember: 'You are not a member of it. Its members see it when they sign in.',
  },
  examples: {
    create: 'Create',
    createNamed: (title: string) => `Create ${title}`,
    needsModel: 'Needs a model',
    noModel: 'No model is configured. An owner adds one in the server settings.',
  },
  files: {
    drop: 'Drop a bot here',
    hint:
      'A bot.json or bot.yaml, a folder with one and its code, or a bundle: a .cjs or .js file that ' +
      'exports a function named handler.',
    sdkHint:
      'For a project with @botpress/sdk, run `bp build` (the official command line), then choose ' +
      '`.botpress/dist/index.cjs`.',
    examples: 'Download an example:',
    exampleFiles: {
      document: (size: string) => `a bot.json${size && ` (${size})`}`,
      bundle: (size: string) => `a bundle${size && ` (${size})`}`,
    },
    bundle: (size: string) => `Bundle, ${size}`,
    document: 'Bot document',
    codeFiles: (count: number) =>
      count === 1 ? 'with 1 code file' : `with ${count} code files`,
    none: 'There is no bot in these files',
    noneHint: 'Choose a bot.json, a bot.yaml or a bundle.',
    several: 'There are several bots. Choose one of them.',
    notDocument: (file: string) => `${file} is not a bot document`,
    invalid: (file: string) => `${file} cannot be read`,
    tooLarge: (file: string) => `${file} is larger than 50 MB`,
    problems: (file: string, count: number) =>
      count === 1 ? `${file} has a problem` : `${file} has ${count} problems`,
    correct: 'It cannot be deployed. Correct it, then choose it again.',
    correctPartly:
      'It cannot be deployed. Correct it, and choose it again: more problems may follow.',
    warnings: (file: string, count: number) =>
      count === 1 ? `${file} has a warning` : `${file} has ${count} warnings`,
    warningsHint: 'Probably a mistake, but it can be deployed.',
  },
  delete: {
    title: (name: string) => `Delete ${name}`,
    text: 'This deletes its conversations, users, files and tables. It cannot be undone.',
    button: 'Delete bot',
    done: (name: string) => `${name} was deleted`,
  },
  transfer: {
    title: 'Transfer to another workspace',
    target: 'Workspace',
    text: 'Conversations, files and tables move with the bot. Members of this workspace lose access.',
    button: 'Transfer',
    done: 'The bot was transferred',
    noTarget: 'You may not create bots in any other workspace.',
  },
})
