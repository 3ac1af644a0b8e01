// Builds the dashboard into the server package, which serves it.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toRoutes } from '@botstead/client'
import { families, permissions } from '@botstead/contract'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { toBotSchema } from './bot-schema.ts'
import { chunkGroups } from './chunks.ts'
import { hotTexts } from './hot-texts.ts'
import { translationEntries, translations } from './translations.ts'

/** Tables of the contract, so that the browser does not load its schemas. */
const routes: Plugin = {
  name: 'routes',
  resolveId: (name) => (name === 'virtual:routes' ? '\0routes' : null),
  load: (name) =>
    name === '\0routes'
      ? `export const routes = ${JSON.stringify(toRoutes(families))}
          export const permissions = ${JSON.stringify(permissions)}`
      : null,
}

/** By the names that the audit log has: `family.operation`. */
const toOperationNames = () =>
  Object.fromEntries(
    Object.entries(families).flatMap(([family, { served }]) =>
      Object.values(served)
        .flatMap((group) => Object.entries(group))
        .filter(([, { method, audit }]) => method !== 'GET' || audit)
        .map(([name, { summary }]) => [`${family}.${name}`, summary]),
    ),
  )

/** Summaries of the operations that the audit log names. */
const operationNames: Plugin = {
  name: 'operation names',
  resolveId: (name) => (name === 'virtual:operation-names' ? '\0operation-names' : null),
  load: (name) =>
    name === '\0operation-names'
      ? `export const operationNames = ${JSON.stringify(toOperationNames())}`
      : null,
}

const botSchema: Plugin = {
  name: 'bot schema',
  resolveId: (name) => (name === 'virtual:bot-schema' ? '\0bot-schema' : null),
  load: (name) =>
    name === '\0bot-schema'
      ? `export const botSchema = ${JSON.stringify(toBotSchema())}`
      : null,
}

/** Aliases, because they hold for `npm run dev` too, which bundles libraries without the plugins. */
const unusedByForms = fileURLToPath(
  new URL('src/parts/forms/unused-by-forms.ts', import.meta.url),
)

/** Names of characters, such as `&amp;`: the browser knows them, so it needs no list. */
const characters = fileURLToPath(
  new URL('src/parts/messages/character-names.ts', import.meta.url),
)

/** The icon of the page, which then needs no request. */
const inlineIcon: Plugin = {
  name: 'inline icon',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const icon = readFileSync(`${page}/favicon.svg`, 'base64')
      return html.replace('/favicon.svg', `data:image/svg+xml;base64,${icon}`)
    },
  },
}

/** Messages look as on the chat page: its modules and styles, with their library from npm. */
const page = fileURLToPath(new URL('../server/page', import.meta.url))

/** Bundles of these are for Node. */
const toFlowsSource = (name: string) => ({
  find: `@botstead/flows/${name}`,
  replacement: fileURLToPath(new URL(`../flows/src/${name}.ts`, import.meta.url)),
})

export default defineConfig({
  plugins: [
    react(),
    routes,
    operationNames,
    botSchema,
    inlineIcon,
    translations,
    hotTexts,
  ],
  resolve: {
    alias: [
      { find: /^page\//, replacement: `${page}/` },
      { find: './markdown-it.js', replacement: 'markdown-it' },
      { find: /^entities$/, replacement: characters },
      {
        find: /^(@rjsf\/validator-ajv8|markdown-to-jsx\/react)$/,
        replacement: unusedByForms,
      },
      ...[
        'document-edits',
        'document-text',
        'knowledge-checks',
        'seeing',
        'texts',
        'wizards',
      ].map(toFlowsSource),
    ],
  },
  build: {
    outDir: '../server/dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // A preload list instead of a script that needs `unsafe-inline`.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // One file each for all pages: over HTTP/1.1 requests cost more than bytes.
    cssCodeSplit: false,
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL('index.html', import.meta.url)),
        ...translationEntries,
      },
      output: { codeSplitting: { groups: chunkGroups } },
    },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
})
