// Builds the documentation's site into the server package, which serves it at /docs, unless the site
// there has the same sources. Keeps its texts compressed only: plain they would be a fifth of the package.
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { replaceFolder, root, toDigest } from './build/files.js'
import { installTools } from './tools.js'

const outdir = join(root, 'packages/server/dist/docs')
/** Has the digest of the sources. Written last: an interrupted build leaves it out. */
const mark = join(outdir, 'built')

const sources = [
  'docs',
  'scripts/docs.js',
  'scripts/documents',
  'packages/contract/openapi',
  'tools/pages/package-lock.json',
  'conformance/report.md',
  ...['README', 'ARCHITECTURE', 'CHANGELOG', 'CONTRIBUTING', 'SECURITY'].map(
    (name) => `${name}.md`,
  ),
  'LICENSE',
  ...readdirSync(join(root, 'examples')).flatMap((name) =>
    ['bot.json', 'example.json'].map((file) => `examples/${name}/${file}`),
  ),
]

/** VitePress' own files beside its configuration. */
const temporary = /\/\.vitepress\/(?:\.temp|cache)\//
const compressible = /\.(?:html|js|css|md|txt|json)$/

const digest = () =>
  toDigest(sources.flatMap(filesIn).filter((path) => !temporary.test(path)))

export const isDocumentationCurrent = () =>
  existsSync(mark) && readFileSync(mark, 'utf8') === digest()

/** Skips the build if the site is current. */
export async function buildDocumentation() {
  if (isDocumentationCurrent()) return
  const current = digest()
  await installTools('pages')
  const { build } = await import('vitepress')
  await replaceFolder(outdir, async (next) => {
    await build(join(root, 'docs'), { outDir: next })
    for (const path of filesIn(relative(root, next)))
      if (compressible.test(path)) compress(join(root, path))
    writeFileSync(join(next, 'built'), current)
  })
}

/** Returns the file, or the files in the folder; none if it does not exist. */
function filesIn(path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [path] : []
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort()
}

function compress(file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file), { params }))
  rmSync(file)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDocumentation()
