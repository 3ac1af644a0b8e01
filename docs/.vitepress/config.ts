// The documentation's site: the Markdown files of docs and of the root, the API reference, and the
// example bots. `npm run build` builds it into the server, which serves it at /docs.
import { defineConfig } from 'vitepress'
import { apiPages, apiSidebars } from '../../scripts/documents/api/pages.js'
import { readContents, toSidebar } from './contents.ts'
import { home } from './home.ts'
import { rewrites } from './links.ts'
import { markdown, toSource } from './markdown.ts'
import { writeTexts } from './texts.ts'

const contents = readContents()
/** Search finds operations by summary, id, path and description, not by fields and examples. */
const searched = new Map(
  apiPages().map(({ page, found, text }) => [`docs/api/${page}.md`, found ?? text]),
)

export default defineConfig({
  title: 'Botstead',
  description: 'Documentation of Botstead, a bot platform on your own machine',
  lang: 'en',
  base: '/docs/',
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    '**/dist/**',
    '{bench,data,examples,packages,scripts}/**',
  ],
  outDir: '../packages/server/dist/docs',
  cleanUrls: true,
  // It would insert a style, which the policy of the pages forbids.
  appearance: { disableTransition: false },
  rewrites: { ...rewrites, 'docs/:path(.*)': ':path' },
  markdown,
  vite: {
    build: {
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
    },
  },
  transformHtml: (html) => html.replace(/ style="[^"]*"/g, ''),
  buildEnd: ({ outDir }) => writeTexts(outDir, contents),
  transformPageData: ({ params, relativePath, frontmatter }) => ({
    ...(params && { title: params.title }),
    // Wide tables need the space of the outline.
    ...((relativePath === 'configuration.md' || params?.page.endsWith('/index')) && {
      frontmatter: { ...frontmatter, aside: false },
    }),
    ...(relativePath === 'index.md' && {
      frontmatter: { ...frontmatter, ...home(contents) },
    }),
  }),
  themeConfig: {
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guides', link: '/', activeMatch: '^/docs/(?!api/)' },
      { text: 'API', link: '/api/', activeMatch: '^/docs/api/' },
    ],
    sidebar: {
      '/': toSidebar(contents),
      ...apiSidebars(),
    },
    search: {
      provider: 'local',
      options: {
        _render: (text, env, renderer) =>
          renderer.renderAsync(searched.get(toSource(env)) ?? text, env),
      },
    },
  },
})
