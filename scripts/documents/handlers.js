// The handlers of each module and feature by family and group, as files in the folders
// `api/<family>` of the server export them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const server = 'packages/server/src'
const root = fileURLToPath(new URL('../..', import.meta.url))
const handlers = /^export const (\w+): Handlers</gm
const lineWidth = 100

/** Returns path, relative to the repository, and text of the list in each folder `api`. */
export const handlerLists = () =>
  ['core', ...listModules('core'), ...listModules('features')]
    .map((module) => `${server}/${module}/api`)
    .filter((folder) => existsSync(`${root}/${folder}`))
    .map((folder) => ({ folder, found: findHandlers(folder) }))
    .filter(({ found }) => found.length > 0)
    .map(({ folder, found }) => ({
      path: `${folder}/handlers.gen.ts`,
      text: toText(found),
    }))

const listModules = (group) =>
  readdirSync(`${root}/${server}/${group}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${group}/${name}`)
    .sort()

function findHandlers(folder) {
  return readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^[^/]+\/[^/.]+\.ts$/.test(path))
    .map((path) => path.slice(0, -'.ts'.length))
    .sort()
    .flatMap((path) =>
      [...readFileSync(`${root}/${folder}/${path}.ts`, 'utf8').matchAll(handlers)].map(
        ([, group]) => ({
          path,
          group,
          family: path.split('/')[0],
        }),
      ),
    )
}

function toText(found) {
  const families = [...new Set(found.map(({ family }) => family))]
  const isShared = (group) => found.filter((one) => one.group === group).length > 1
  const named = found.map((one) => ({
    ...one,
    name: isShared(one.group)
      ? one.family + one.group[0].toUpperCase() + one.group.slice(1)
      : one.group,
  }))
  const groupsIn = (family) =>
    named
      .filter((one) => one.family === family)
      .map(({ group, name }) => `    ${name === group ? group : `${group}: ${name}`},\n`)
  return [
    '// Written by `npm run generate` from the files beside it.\n',
    ...named.map(toImport),
    '\nexport const handlers = {\n',
    ...families.map((family) => `  ${family}: {\n${groupsIn(family).join('')}  },\n`),
    '}\n',
  ].join('')
}

function toImport({ group, name, path }) {
  const binding = name === group ? group : `${group} as ${name}`
  const line = `import { ${binding} } from './${path}.ts'`
  return line.length <= lineWidth
    ? `${line}\n`
    : `import {\n  ${binding},\n} from './${path}.ts'\n`
}
