// Translations of the texts. Each is a file of the build, and a script in the page, of which the server keeps
// the one for the reader (packages/server/src/core/http/pages/page-language.ts). Scripts of modules run in
// their order: the texts are there before the first module of the page uses them.
import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = fileURLToPath(new URL('src/texts/', import.meta.url))
const codes = readdirSync(folder).filter(
  (name) => name !== 'en' && existsSync(`${folder}${name}/index.ts`),
)

/** As screen readers expect it: `pt` would be read as in Portugal. */
const toLanguage = (code: string) => (code === 'pt' ? 'pt-BR' : code)
const toEntry = (code: string) => `texts-${code}`

/** Further entries of the build, by name. */
export const translationEntries = Object.fromEntries(
  codes.map((code) => [toEntry(code), `${folder}${code}/index.ts`]),
)

/** Without this, the calls of `inLanguage` would count: each page would load all texts. */
const english = /\/src\/texts\/(?:texts|en\/.*)\.ts$/
const index = /\/src\/texts\/(?!en\/)(\w+)\/index\.ts$/

export const translations: Plugin = {
  name: 'translations',
  enforce: 'pre',
  // The parts as an object: a namespace would import the bundler's helpers from the file of the page.
  transform(source, id) {
    if (english.test(id)) return { moduleSideEffects: false }
    const [, code] = index.exec(id) ?? []
    if (!code) return null
    const parts = [...source.matchAll(/^export \{([^}]*)\}/gm)].map(([, names]) => names)
    return `${source.replaceAll(/^export (?=\{)/gm, 'import ')}
globalThis.botsteadTexts = { language: '${toLanguage(code)}', ${parts.join(', ')} }`
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle, server }) =>
      codes.map((code) => ({
        tag: 'script',
        attrs: {
          type: 'module',
          src: server
            ? `${server.config.base}src/texts/${code}/index.ts`
            : `/${Object.values(bundle!).find(({ name }) => name === toEntry(code))!.fileName}`,
          'data-language': toLanguage(code),
        },
        injectTo: 'head-prepend',
      })),
  },
}
