// A website on another origin than the server, with a page that embeds a webchat.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { build } from 'esbuild'

export interface Site {
  url: string
  close(): void
}

/** Serves the files by path, and the page at every other path. */
export async function openSite(
  page: string,
  files: Record<string, string> = {},
): Promise<Site> {
  const server = createServer(({ url = '' }, response) => {
    const file = files[url]
    const type = url.endsWith('.js') ? 'text/javascript' : 'text/css'
    response
      .writeHead(200, {
        'content-type': file === undefined ? 'text/html; charset=utf-8' : type,
      })
      .end(file ?? `<!doctype html><title>Shop</title><body>${page}</body>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

/** Folder of the official React component, whose own version of React it uses. */
const installed =
  process.env.BOTSTEAD_OFFICIAL_WEBCHAT ??
  'tools/official-webchat/node_modules/@botpress/webchat'

/** Renders a component `App`. */
const render = `
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
createRoot(document.getElementById('root')).render(createElement(App))
`

/** Bundles a page that shows the official `<Webchat>` with these properties. */
export const openOfficialSite = (props: object): Promise<Site> =>
  openReactSite(`import { Webchat } from './dist/index.js'
    const App = () => <Webchat {...${JSON.stringify(props)}} />`)

/** Bundles a page that shows the component `App` of this code. */
export async function openReactSite(code: string): Promise<Site> {
  const { outputFiles } = await build({
    stdin: { contents: code + render, resolveDir: resolve(installed), loader: 'jsx' },
    jsx: 'automatic',
    bundle: true,
    write: false,
    outdir: '/',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const text = (extension: string) =>
    outputFiles.find(({ path }) => path.endsWith(extension))?.text ?? ''
  const page = `<link rel="stylesheet" href="/app.css"><div id="root" style="height:700px"></div>
    <script src="/app.js"></script>`
  return openSite(page, { '/app.js': text('.js'), '/app.css': text('.css') })
}
