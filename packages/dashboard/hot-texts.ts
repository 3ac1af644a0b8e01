// Shows changed texts in the open page (`npm run dev`). Vite would load the page again, because modules
// without components use texts, too. So the page replaces the texts in place, and then the components that
// use them.
import { readFileSync } from 'node:fs'
import type { DevEnvironment, EnvironmentModuleNode, Plugin } from 'vite'

const textFile = /\/src\/texts\/\w+\/(?:[\w-]+\/)?(?!index\.)[\w-]+\.ts$/
const collection = /\/src\/texts\/(?:texts|en\/index)\.ts$/

export const hotTexts: Plugin = {
  name: 'hot texts',
  apply: 'serve',
  transform: (code, id) => (textFile.test(id) ? code + toListener(namesIn(code)) : null),
  hotUpdate({ file, modules, timestamp }) {
    const [texts] = modules
    if (!texts || !textFile.test(file)) return
    this.environment.hot.send('texts:changed', { url: texts.url, timestamp })
    return []
  },
  configureServer({ environments: { client } }) {
    client.hot.on('texts:replaced', ({ url }: { url: string }) =>
      replaceComponents(client, url),
    )
  },
}

const namesIn = (code: string) =>
  [...code.matchAll(/^export const (\w+)/gm)].map(([, name]) => name!)

/** Returns code for the end of a module of texts. Its first instance is the one that all others import. */
const toListener = (names: string[]) => `
const shownTexts = (import.meta.hot.data.shown ??= { ${names.join(', ')} })
import.meta.hot.on('texts:changed', async ({ url, timestamp }) => {
  const own = import.meta.url.replace(/\\?.*/, '')
  if (!own.endsWith(url)) return
  (${replaceTexts})(shownTexts, await import(/* @vite-ignore */ own + '?t=' + timestamp))
  import.meta.hot.send('texts:replaced', { url })
})`

/** Runs in the page, so it uses nothing outside of it. */
function replaceTexts(
  shown: Record<string, unknown>,
  next: Record<string, unknown>,
): void {
  const isGroup = (value: unknown) => typeof value === 'object' && value !== null
  for (const name of Object.keys(shown)) if (!(name in next)) delete shown[name]
  for (const [name, value] of Object.entries(next)) {
    if (isGroup(value) && isGroup(shown[name]))
      replaceTexts(shown[name] as typeof shown, value as typeof next)
    else shown[name] = value
  }
}

async function replaceComponents(client: DevEnvironment, url: string): Promise<void> {
  // Components use a translation through its English module.
  const english = url.replace(/(?<=\/src\/texts\/)\w+/, 'en')
  const texts = await client.moduleGraph.getModuleByUrl(english)
  if (!texts?.file) return
  const names = namesIn(readFileSync(texts.file, 'utf8'))
  const uses = new RegExp(`\\btexts\\.(?:${names.join('|')})\\b`)
  for (const component of findComponents(texts, uses))
    await client.reloadModule(component)
}

/** Returns the components that use some texts, also by a module without components. */
function findComponents(
  texts: EnvironmentModuleNode,
  uses: RegExp,
): EnvironmentModuleNode[] {
  const found: EnvironmentModuleNode[] = []
  const seen = new Set([texts])
  for (const { file, importers } of seen) {
    const isEachUser = file === texts.file || !collection.test(file ?? '')
    for (const user of importers) {
      if (!user.file) continue
      const isCollection = collection.test(user.file)
      if (!isCollection && !isEachUser && !uses.test(readFileSync(user.file, 'utf8')))
        continue
      if (user.file.endsWith('.tsx')) found.push(user)
      else seen.add(user)
    }
  }
  return [...new Set(found)]
}
