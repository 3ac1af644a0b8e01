// The hub: integrations built from sources, and bundles of built ones.
import { type Command, Option } from 'commander'
import { addCommand, choice } from './command-parts.ts'
import { addOperationList } from './operation-verbs.ts'
import { addVerb, noun } from './verbs.ts'

const collect = (value: string, before: string[] = []) => [...before, value]
const repeatable = (flags: string, description: string) =>
  new Option(flags, description).argParser(collect)

const visibilityOption = () =>
  choice('--visibility <visibility>', 'who sees it, as for "bp deploy"', [
    'public',
    'unlisted',
    'private',
  ]).default('public')
const secretOption = () =>
  repeatable(
    '--secret <NAME=value>',
    'value of a secret that the integration declares; "-" reads it from the terminal or a line of ' +
      'standard input; repeatable',
  )
const keyOption = () =>
  new Option('--key <file>', 'Ed25519 key in PEM, by default that of the data folder')

export function addHubCommands(program: Command): void {
  const hub = noun(
    program,
    'hub',
    'the integrations of this server, built from sources or imported',
  )
  addOperationList(hub, 'list', {
    operation: 'admin.listPublicIntegrations',
    scope: 'account',
    about: 'list the public integrations, all versions',
    options: [new Option('--search <text>', 'only those that contain the text')],
    examples: ['botstead hub', 'botstead hub list --search mail --json'],
    columns: {
      id: ({ id }) => id,
      name: ({ name, version }) => `${name}@${version}`,
      owner: ({ ownerWorkspace }) => ownerWorkspace.name,
      title: ({ title }) => title,
    },
  })
  addVerb(hub, 'add <sources...>', {
    scope: 'workspace',
    about:
      'build integrations from folders or archives (.tgz, .zip) of their sources with the official SDK, ' +
      'and publish them with the interfaces that they implement. The sources stay unchanged',
    options: [
      new Option(
        '--folder <path>',
        'folder of the integration in an archive that has several',
      ),
      secretOption(),
      new Option(
        '--without-secrets',
        'publish also without the values of required secrets',
      ),
      visibilityOption(),
      repeatable(
        '--use <package@version>',
        'version of a library in place of that of the sources; repeatable',
      ),
      new Option('--node-modules <folder>', 'folder with all libraries, in place of npm'),
    ],
    examples: [
      'botstead hub add ../botpress/integrations/telegram',
      'botstead hub add botpress-master.tar.gz --folder integrations/slack --secret CLIENT_SECRET=-',
      'botstead hub add ../botpress/integrations/* --without-secrets',
    ],
    run: async (context, ...sources) =>
      (await import('../commands/hub.ts')).addIntegrations(
        context as never,
        sources.flat(),
      ),
  })
  addBundleCommands(hub)
}

function addBundleCommands(hub: Command): void {
  addVerb(hub, 'export <names...>', {
    scope: 'workspace',
    about:
      'write built integrations with their code and their interfaces into a signed bundle, without secrets',
    options: [
      new Option('--to <file>', 'file to write').makeOptionMandatory(),
      keyOption(),
    ],
    examples: [
      'botstead hub export telegram --to telegram.bundle',
      'botstead hub export slack@2.5.0 zendesk --to support.bundle --key signing.pem',
    ],
    run: async (context, ...names) =>
      (await import('../commands/hub.ts')).exportBundle(context as never, names.flat()),
  })
  addVerb(hub, 'import <file>', {
    scope: 'workspace',
    about:
      'verify a bundle and publish all its packages, or none. Rejects signers that are neither this ' +
      'installation nor trusted',
    options: [
      repeatable('--trust <key>', 'public key or fingerprint of a signer; repeatable'),
      visibilityOption(),
      new Option(
        '--replace',
        'update versions that this workspace has with other content',
      ),
      secretOption(),
    ],
    examples: [
      'botstead hub import telegram.bundle --trust 9f86d081…',
      'botstead hub import slack.bundle --trust 9f86d081… --secret CLIENT_SECRET=-',
    ],
    run: async (context, file) =>
      (await import('../commands/hub.ts')).importBundle(context as never, file!),
  })
  addCommand(hub, 'verify <file>', {
    about:
      'check every byte of a bundle and print its packages and its signer; needs no server',
    examples: ['botstead hub verify telegram.bundle'],
    run: async (file, options) =>
      (await import('../commands/hub.ts')).verifyBundle(file, options),
  })
  addCommand(hub, 'key', {
    about:
      'print the fingerprint and the public key with which this installation signs bundles',
    options: [keyOption()],
    examples: ['botstead hub key', 'botstead hub key --key signing.pem --json'],
    run: async (options) => (await import('../commands/hub.ts')).printKey(options),
  })
}
