// `botstead hub`: builds and publishes integrations, and moves built ones between installations.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type Client, RequestError } from '@botstead/client'
import { CliError, UsageError } from '../failure.ts'
import { build, type DeclaredSecrets } from '../hub/build.ts'
import {
  type BuiltPackages,
  publish,
  readSecrets,
  toEntries,
  toPackages,
} from '../hub/built-packages.ts'
import {
  type Bundle,
  readBundle,
  toFingerprint,
  toPublicKey,
  writeBundle,
} from '../hub/bundle.ts'
import { installLibraries } from '../hub/dependencies.ts'
import { openSigningKey, rejectUnknownSigner } from '../hub/signing-key.ts'
import { copyTree, inTemporaryFolder, openSource } from '../hub/source-tree.ts'
import { nameForWorkspace } from '../hub/workspace-names.ts'
import type { Context } from '../server/context.ts'
import { listIntegrationWarnings } from '../server/integration-warnings.ts'
import { toPrintable } from '../terminal/printable.ts'
import { print, printDone, toJson } from '../terminal/printing.ts'
import { formatSize } from '../terminal/progress.ts'
import { askSecret } from '../terminal/prompt.ts'

type Visibility = 'public' | 'private' | 'unlisted'
type Json = { json?: boolean | undefined }

interface AddOptions {
  folder?: string
  secret?: string[]
  withoutSecrets?: boolean
  visibility: Visibility
  use?: string[]
  nodeModules?: string
}

/** Adds each source. Continues after a failure, and fails at the end. */
export async function addIntegrations(
  context: Context<AddOptions>,
  sources: string[],
): Promise<void> {
  const { options } = context
  const read = openSecretReader()
  const secrets = await readSecrets(options.secret ?? [], read)
  let failed = 0
  for (const source of sources) {
    try {
      await addIntegration(context, source, secrets)
    } catch (error) {
      if (sources.length === 1) throw error
      failed++
      console.error(`${toPrintable(source)}: ${toPrintable((error as Error).message)}`)
    }
  }
  if (failed > 0)
    throw new CliError(
      `${failed} of ${sources.length} integrations failed; the others are published`,
    )
}

async function addIntegration(
  { client, workspaceId, options }: Context<AddOptions>,
  source: string,
  secrets: Record<string, string>,
): Promise<void> {
  const say = (line: string) => console.error(toPrintable(line))
  const built = await inTemporaryFolder(async (folder) => {
    const tree = copyTree(openSource(source, options.folder, folder), folder)
    return build(tree, await installLibraries(tree, options, say))
  })
  const named = await nameForWorkspace(client, workspaceId, built)
  await addSecrets(client, named.integrations[0]!, built.secrets, secrets, options)
  const packages = await publish(client, named, {
    visibility: options.visibility,
    replace: true,
  })
  for (const one of packages) printPublished(one, options)
  const { id } = packages.at(-1)!
  const { integration: published } = await client.admin.getIntegration({ params: { id } })
  for (const finding of await listIntegrationWarnings(client, published))
    console.error(toPrintable(finding))
}

/** Adds the values of declared secrets. Asks on the terminal for required ones that the server lacks. */
async function addSecrets(
  client: Client,
  integration: BuiltPackages['integrations'][number],
  declared: DeclaredSecrets,
  given: Record<string, string>,
  { withoutSecrets, secret = [] }: AddOptions,
): Promise<void> {
  const known = await findSecretNames(client, integration.name)
  const values: Record<string, string> = {}
  for (const [name, { optional = false }] of Object.entries(declared)) {
    if (Object.hasOwn(given, name)) values[name] = given[name]!
    else if (!optional && !known.includes(name) && !withoutSecrets)
      values[name] = await askRequired(integration.name, name)
  }
  const unused = secret
    .map((one) => one.replace(/=.*/s, ''))
    .find((name) => !Object.hasOwn(declared, name))
  if (unused !== undefined)
    console.error(`${integration.name} declares no secret ${unused}: it is not used`)
  integration.secrets = values
}

async function askRequired(integration: string, name: string): Promise<string> {
  const value = process.stdin.isTTY
    ? await askSecret(`Secret ${name} of ${integration}: `)
    : ''
  if (value !== '') return value
  throw new UsageError(
    `${integration} needs the secret ${name}: pass --secret ${name}=- and its value on standard input, or ` +
      '--without-secrets to set it later',
  )
}

/** All versions share their secrets. */
async function findSecretNames({ admin }: Client, name: string): Promise<string[]> {
  const params = { name, version: 'latest' }
  const found = await admin.getIntegrationByName({ params }).catch((error: unknown) => {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  })
  return found?.integration.secrets ?? []
}

/** Reads a secret on the terminal, or the next line of standard input. */
function openSecretReader(): (name: string) => Promise<string> {
  let lines: AsyncIterator<string> | undefined
  return async (name) => {
    if (process.stdin.isTTY) return askSecret(`Secret ${name}: `)
    lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]()
    const { value, done } = await lines.next()
    if (!done && value !== '') return value
    throw new UsageError(`standard input has no line for the secret ${name}`)
  }
}

const done = { created: 'Published', updated: 'Updated', found: 'Unchanged:' }

function printPublished(
  one: {
    kind: string
    name: string
    version: string
    id: string
    state: keyof typeof done
  },
  options: Json,
): void {
  printDone(
    `${done[one.state]} ${one.kind} ${one.name}@${one.version} (${one.id})`,
    one,
    options,
  )
}

interface ExportOptions {
  to: string
  key?: string
}

export async function exportBundle(
  { client, options }: Context<ExportOptions>,
  names: string[],
): Promise<void> {
  const key = openSigningKey(options.key)
  if (existsSync(options.to))
    throw new CliError(`${options.to} exists: delete it, or choose another name`)
  const exported = []
  for (const name of names) {
    const id = await findId(client, name)
    exported.push(
      await client.platform.exportIntegration(
        { params: { id } },
        { signal: AbortSignal.timeout(10 * 60_000) },
      ),
    )
  }
  const content = writeBundle(key, {
    ...toEntries(exported),
    createdAt: new Date().toISOString(),
  })
  const draft = `${options.to}.${process.pid}.part`
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
  renameSync(draft, options.to)
  const signer = toFingerprint(toPublicKey(key))
  printDone(
    `Wrote ${options.to} (${formatSize(content.length)})\nSigner ${signer}`,
    { file: options.to, size: content.length, signer },
    options,
  )
}

/** `name`: `<name>`, `<name>@<version>`, or an id. The workspace's own integrations precede the hub's. */
async function findId({ admin }: Client, name: string): Promise<string> {
  const at = name.lastIndexOf('@')
  const params = {
    name: at > 0 ? name.slice(0, at) : name,
    version: at > 0 ? name.slice(at + 1) : 'latest',
  }
  const missing = (error: unknown) => {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  }
  const found =
    (await admin.getIntegrationByName({ params }).catch(missing)) ??
    (await admin.getPublicIntegration({ params }).catch(missing))
  if (found) return found.integration.id
  throw new CliError(
    `there is no integration ${name}; "integrations" and "hub" list them`,
  )
}

interface ImportOptions {
  trust?: string[]
  visibility: Visibility
  replace?: boolean
  secret?: string[]
}

/** Verifies everything before it publishes anything. */
export async function importBundle(
  { client, workspaceId, options }: Context<ImportOptions>,
  file: string,
): Promise<void> {
  const bundle = verified(file)
  console.error(`Signer ${toFingerprint(bundle.publicKey)}`)
  rejectUnknownSigner(bundle.publicKey, options.trust ?? [])
  const named = await nameForWorkspace(client, workspaceId, toPackages(bundle))
  const secrets = await readSecrets(options.secret ?? [], openSecretReader())
  const lacking: string[] = []
  const integrations = []
  for (const { secretNames = [], ...integration } of named.integrations as Bundled[]) {
    const given = Object.entries(secrets).filter(([name]) => secretNames.includes(name))
    integrations.push({ ...integration, secrets: Object.fromEntries(given) })
    const known = [
      ...(await findSecretNames(client, integration.name)),
      ...Object.keys(secrets),
    ]
    lacking.push(...secretNames.filter((name) => !known.includes(name)))
  }
  const { visibility, replace = false } = options
  const packages = await publish(
    client,
    { ...named, integrations },
    { visibility, replace },
  )
  for (const one of packages) printPublished(one, options)
  if (lacking.length > 0)
    console.error(
      'Bundles contain no values of secrets. Import again with --secret NAME=- to set: ' +
        [...new Set(lacking)].join(', '),
    )
}

/** A bundle has the names of the secrets that the integration had where it was exported. */
type Bundled = BuiltPackages['integrations'][number] & { secretNames?: string[] }

/** Prints the packages, the signer, and each part that is changed. Throws if one is. */
export async function verifyBundle(file: string, { json }: Json): Promise<void> {
  const { bundle, changed } = readBundle(readFile(file))
  if (!bundle) {
    if (json) print(toJson({ valid: false, changed }))
    throw changedBundle(file, changed)
  }
  const signer = toFingerprint(bundle.publicKey)
  const { createdAt, packages, publicKey } = bundle
  if (json) return print(toJson({ valid: true, signer, publicKey, createdAt, packages }))
  for (const { kind, name, version } of packages)
    print(toPrintable(`${kind} ${name}@${version}`))
  print(`Every byte is as it was signed on ${createdAt}`)
  print(`Signer ${signer}`)
}

export async function printKey({ key, json }: { key?: string } & Json): Promise<void> {
  const publicKey = toPublicKey(openSigningKey(key))
  const fingerprint = toFingerprint(publicKey)
  printDone(
    `Fingerprint ${fingerprint}\nPublic key  ${publicKey}`,
    { fingerprint, publicKey },
    { json },
  )
}

function verified(file: string): Bundle {
  const { bundle, changed } = readBundle(readFile(file))
  if (bundle) return bundle
  throw changedBundle(file, changed)
}

function changedBundle(file: string, changed: string[]): CliError {
  for (const part of changed) console.error(toPrintable(part, 'line'))
  return new CliError(`${file} is not as it was signed: nothing was published`)
}

const maxFileBytes = 512 * 1_048_576

function readFile(file: string): Buffer {
  try {
    const content = readFileSync(file)
    if (content.length <= maxFileBytes) return content
  } catch (error) {
    throw new CliError(`cannot read ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
  throw new CliError(`${file} has more than ${formatSize(maxFileBytes)}`)
}
