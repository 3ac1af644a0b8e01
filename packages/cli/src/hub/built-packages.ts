// Built packages as entries of a bundle, and as the body that publishes them.
import { type Client, RequestError } from '@botstead/client'
import { CliError, UsageError } from '../failure.ts'
import type { Bundle, BundledPackage, Entry } from './bundle.ts'

type Exported = Awaited<ReturnType<Client['platform']['exportIntegration']>>
type Body = Parameters<Client['platform']['publishPackages']>[0]['body']
export type NewIntegration = Body['integrations'][number]
export type NewInterface = Body['interfaces'][number]

export interface BuiltPackages {
  interfaces: NewInterface[]
  integrations: NewIntegration[]
}

type Published = Awaited<
  ReturnType<Client['platform']['publishPackages']>
>['packages'][number]

/** Loading the code of many integrations takes long. */
const publishingMs = 30 * 60_000
/** The limit of the server for one request. */
const maxBytes = 50 * 1_048_576

const toPath = ({ kind, name, version }: BundledPackage) => `${kind}s/${name}@${version}`

/** Returns the packages and entries of exported integrations. Interfaces that several have occur once. */
export function toEntries(exported: Exported[]): Pick<Bundle, 'packages' | 'entries'> {
  const byPath = new Map<string, { one: BundledPackage; entries: Entry[] }>()
  const add = (kind: BundledPackage['kind'], built: Built, code?: string) => {
    const one = { kind, name: built.name, version: built.version }
    byPath.set(toPath(one), {
      one,
      entries: toEntriesOfPackage(toPath(one), built, code),
    })
  }
  for (const { integration, code, interfaces } of exported) {
    for (const built of interfaces) add('interface', built)
    if (code === null)
      throw new CliError(
        `${integration.name}@${integration.version} has no code on this server, because it runs at a URL: ` +
          'it cannot be exported',
      )
    add('integration', integration, code)
  }
  const sorted = [...byPath.values()].sort((a, b) =>
    toPath(a.one) < toPath(b.one) ? 1 : -1,
  )
  return {
    // Interfaces first, as they are published.
    packages: sorted.map(({ one }) => one),
    entries: sorted.flatMap(({ entries }) => entries),
  }
}

interface Built {
  name: string
  version: string
  icon: string
  readme: string
}

function toEntriesOfPackage(
  path: string,
  { icon, readme, ...definition }: Built,
  code: string | undefined,
): Entry[] {
  const contents: [string, Buffer][] = [
    ['definition.json', Buffer.from(JSON.stringify(definition))],
    ['code.cjs', Buffer.from(code ?? '')],
    ['icon', Buffer.from(icon, 'base64')],
    ['readme.md', Buffer.from(readme, 'base64')],
  ]
  return contents
    .filter(([, content]) => content.length > 0)
    .map(([name, content]) => ({ name: `${path}/${name}`, content }))
}

/** Returns the packages of a verified bundle. Throws for a signed bundle that is not complete. */
export function toPackages({ packages, entries }: Bundle): BuiltPackages {
  const contents = new Map(entries.map(({ name, content }) => [name, content]))
  if (contents.size !== entries.length)
    throw new CliError('the bundle has entries of the same name')
  const built: BuiltPackages = { interfaces: [], integrations: [] }
  for (const one of packages) {
    const read = (name: string) =>
      contents.get(`${toPath(one)}/${name}`) ?? Buffer.alloc(0)
    const definition = parseDefinition(one, read('definition.json'))
    const assets = {
      icon: read('icon').toString('base64'),
      readme: read('readme.md').toString('base64'),
    }
    if (one.kind === 'interface')
      built.interfaces.push({ ...(definition as NewInterface), ...assets })
    else
      built.integrations.push({
        ...(definition as NewIntegration),
        ...assets,
        code: read('code.cjs').toString(),
      })
  }
  return built
}

function parseDefinition(
  one: BundledPackage,
  content: Buffer,
): Omit<NewIntegration, 'code'> | NewInterface {
  try {
    const definition = JSON.parse(content.toString()) as NewIntegration
    if (definition.name === one.name && definition.version === one.version)
      return definition
  } catch {
    // Reported below.
  }
  throw new CliError(
    `${toPath(one)}/definition.json does not define ${one.name}@${one.version}`,
  )
}

/** Publishes all or nothing. `secrets` go to the integrations that have them. */
export async function publish(
  client: Client,
  built: BuiltPackages,
  options: { visibility: 'public' | 'private' | 'unlisted'; replace: boolean },
): Promise<Published[]> {
  const body = { ...built, ...options }
  const size = Buffer.byteLength(JSON.stringify(body))
  if (size > maxBytes)
    throw new CliError(
      `the packages have ${Math.ceil(size / 1_048_576)} MB; a server accepts 50 MB at once: split them ` +
        'into several bundles',
    )
  const signal = AbortSignal.timeout(publishingMs)
  const { packages } = await client.platform
    .publishPackages({ body }, { signal })
    .catch(explainTaken)
  return packages
}

/** Channels of the server have the names of official integrations. */
function explainTaken(error: unknown): never {
  const isTaken =
    error instanceof RequestError &&
    error.type === 'AlreadyExists' &&
    error.message.startsWith('The hub already has')
  if (!isTaken) throw error
  throw new CliError(
    `${error.message} or of this server: pass --visibility private, and this workspace finds its own first`,
  )
}

/** Values of `--secret NAME=value`. A value `-` is read by `ask`. */
export async function readSecrets(
  given: string[],
  ask: (name: string) => Promise<string>,
): Promise<Record<string, string>> {
  const secrets: Record<string, string> = {}
  for (const one of given) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(one) ?? []
    if (name === undefined || value === undefined || value === '')
      throw new UsageError(
        `--secret "${one.replace(/=.*/s, '=…')}" must be NAME=value, or NAME=- to ask for it`,
      )
    Object.defineProperty(secrets, name, {
      value: value === '-' ? await ask(name) : value,
      enumerable: true,
    })
  }
  return secrets
}
