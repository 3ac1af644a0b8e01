// Packs the examples that have an `example.json` into the server's package: one JSON file each, with
// the texts of their files. The dashboard offers them. Runs after the build of the examples.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFolder, root } from './build/files.js'

const examples = join(root, 'examples')
const outdir = join(root, 'packages/server/dist/examples')

/** The parts of an example that its bot needs, without tests and the sources of bundles. */
const packed = /^(bot\.json|(code|knowledge)[/\\].+)$/

const readText = (...path) => readFileSync(join(...path), 'utf8')

function readFiles(folder) {
  const bundle = join(folder, 'dist/bot.cjs')
  if (existsSync(bundle)) return { 'bot.cjs': readText(bundle) }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => packed.test(path))
  return Object.fromEntries(
    paths.map((path) => [path.replaceAll('\\', '/'), readText(folder, path)]),
  )
}

export const packExamples = () =>
  replaceFolder(outdir, (next) => {
    mkdirSync(next, { recursive: true })
    for (const name of readdirSync(examples))
      if (existsSync(join(examples, name, 'example.json'))) packExample(name, next)
  })

function packExample(name, target) {
  const folder = join(examples, name)
  const {
    title,
    description,
    needsModel = false,
  } = JSON.parse(readText(folder, 'example.json'))
  const files = readFiles(folder)
  const size = Object.values(files).reduce(
    (bytes, text) => bytes + Buffer.byteLength(text),
    0,
  )
  const example = { name, title, description, needsModel, size, files }
  writeFileSync(join(target, `${name}.json`), JSON.stringify(example))
}
