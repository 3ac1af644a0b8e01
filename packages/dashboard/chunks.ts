// Which modules of the dashboard share a file. Over HTTP/1.1, a page of a hundred small files waits for
// most of them. So a page loads what several areas use, its area, and with conversations the display of
// messages. Modules that it loads later stay apart.

interface Module {
  code: string | null
  exports: readonly string[]
  isEntry: boolean
  importers: readonly string[]
  dynamicImporters: readonly string[]
}

/** The part of Rolldown's context that names the importers of a module. */
interface Graph {
  getModuleInfo(id: string): Module | null
}

/** Areas that show conversations. */
const withMessages = ['conversations', 'handoffs', 'users']
const router = /\/src\/(?:router\.tsx|routes\/[\w-]+\.ts)$/

/** Parts that any page may load later, such as a form: they must not need the file of an area. */
const laterPart = /\/src\/parts\//
const folder = /\/src\/(?:pages|features)\/([\w-]+)\//
/** Features with small pages, which share the file of the bot's other pages. */
const ofBot = ['insights', 'versions']

function findArea(page: string): string {
  const area = folder.exec(page)?.[1] ?? 'main'
  // The page of an integration shows whether a channel works.
  if (area === 'channels') return 'integrations'
  return ofBot.includes(area) ? 'bot' : area
}

/** Modules that only export others: importing one of those is not importing all. */
const collections =
  /\/@mantine\/core\/esm\/index\.mjs$|\/src\/texts\/(?:texts|en\/index)\.ts$/

/** Loaded before the page's own modules, so it shares none of them. */
const translation = /\/src\/texts\/(?!en\/)\w+\//

/** A group takes its modules with all that they import, so files that others need come first. */
export const chunkGroups = ['main', 'messages', 'area'].map((kind, index, all) => ({
  name: (id: string, graph: Graph) => {
    const name = findChunk(id, graph)
    return kind === 'area' || name === kind ? name : null
  },
  debugName: kind,
  priority: all.length - index,
}))

/** Returns the name of a module's file; null if no page loads the module at once. */
function findChunk(id: string, graph: Graph): string | null {
  if (translation.test(id)) return null
  const found = findAreas(id, graph)
  const isLater = found.delete('later')
  const areas = [...found]
  if (areas.length === 0 || areas.join() === 'users') return areas[0] ?? null
  if (areas.every((area) => withMessages.includes(area))) return 'messages'
  return areas.length === 1 && !isLater ? areas[0]! : 'main'
}

/**
 * Returns the areas of the pages that load the module at once; `main` stands for all pages, and `later` for a
 * part that any page may load later.
 */
function findAreas(id: string, graph: Graph): Set<string> {
  const areas = new Set<string>()
  const seen = new Set([id])
  for (const each of seen) {
    const module = readModule(each, graph)
    if (module.isEntry) areas.add('main')
    if (module.isPage) areas.add(findArea(each))
    else if (module.isLater) areas.add('later')
    for (const importer of module.importers) seen.add(importer)
  }
  return areas
}

interface KnownModule {
  isEntry: boolean
  isPage: boolean
  isLater: boolean
  /** Modules that use it, also through a collection. */
  importers: readonly string[]
}
const known = new Map<string, KnownModule>()

/** Reading a module takes a millisecond. */
function readModule(id: string, graph: Graph): KnownModule {
  const found = known.get(id)
  if (found) return found
  const info = graph.getModuleInfo(id)
  const module = {
    isEntry: info?.isEntry ?? false,
    isPage: info?.dynamicImporters.some((one) => router.test(one)) ?? false,
    isLater: laterPart.test(id) && (info?.dynamicImporters.length ?? 0) > 0,
    importers: info ? listImporters(info, graph) : [],
  }
  known.set(id, module)
  return module
}

function listImporters({ importers, exports }: Module, graph: Graph): string[] {
  const usesIt = (names: Set<string>) => exports.some((name) => names.has(name))
  const follow = (importer: string): string[] => {
    if (!collections.test(importer)) return [importer]
    return [...readUsers(importer, graph)]
      .filter(([user, names]) => collections.test(user) || usesIt(names))
      .flatMap(([user]) => follow(user))
  }
  return importers.flatMap(follow)
}

const knownUsers = new Map<string, Map<string, Set<string>>>()

/** Names that a module uses of a collection: many parts of the texts have the names of variables. */
const toNames = (collection: string) =>
  collection.endsWith('/texts.ts') ? /(?<=\btexts\.)\w+/g : /\w+/g

/** Returns the names that each module that imports from the collection may use of it. */
function readUsers(collection: string, graph: Graph): Map<string, Set<string>> {
  const found = knownUsers.get(collection)
  if (found) return found
  const users = new Map(
    (graph.getModuleInfo(collection)?.importers ?? []).map((user) => [
      user,
      new Set(graph.getModuleInfo(user)?.code?.match(toNames(collection))),
    ]),
  )
  knownUsers.set(collection, users)
  return users
}
