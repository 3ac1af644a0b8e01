// The modules of the server. A module is a folder with everything of one subject, in `core` or
// `features`; its door, index.ts, is the only file that other modules import. The core imports no feature.
import { findCircles } from './circles.js'
import { readSpecifiers } from './imports.js'

export const server = 'packages/server/src/'
/** Folders with a module in each of their folders. */
const grouped = ['core', 'features']

/** Returns the module of a file of the server, such as `core/queue`. `app` also has the package's entry. */
export function toModule(path) {
  const [first, second] = path.slice(server.length).split('/')
  if (first === 'index.ts') return 'app'
  return grouped.includes(first) ? `${first}/${second}` : first.replace(/\.ts$/, '')
}

/** Returns the imports of files of the server in other modules. */
export const findForeign = (imports) =>
  imports.filter(
    ({ from, to }) =>
      from.startsWith(server) && to.startsWith(server) && toModule(from) !== toModule(to),
  )

/** Returns the modules of the server that import each other, directly or through others. */
export const findModulesInCircles = (imports) =>
  findCircles(
    findForeign(imports).map(({ from, to }) => ({
      from: toModule(from),
      to: toModule(to),
    })),
  ).flat()

/** Returns the packages that import each other by their names, directly or through others. */
export const findPackagesInCircles = (sources) =>
  findCircles(
    sources.flatMap(({ path, text }) =>
      readSpecifiers(text)
        .map(({ specifier }) => ({ from: toPackage(path), to: toPackage(specifier) }))
        .filter(({ from, to }) => from && to && from !== to),
    ),
  ).flat()

const toPackage = (name) => /^(?:packages|@botstead)\/([^/]+)/.exec(name)?.[1]

/** Returns the files that other modules import past the door of their module. */
export const findPastDoors = (imports) => [
  ...new Set(
    findForeign(imports)
      .map(({ to }) => to)
      .filter((path) => path !== toDoor(path)),
  ),
]

const toDoor = (path) => {
  const module = toModule(path)
  return module.endsWith('.ts') ? path : `${server}${module}/index.ts`
}

/** Returns the imports of features in the core: `<file> imports <file>`. */
export const findCoreToFeatures = (imports) =>
  findForeign(imports)
    .filter(({ from, to }) => isIn('core', from) && isIn('features', to))
    .map(({ from, to }) => `${from} imports ${to}`)

const isIn = (part, path) => path.startsWith(`${server}${part}/`)
