// Calls of the API, and bundles as the official command line makes them.
import { env } from './steps.mjs'

const [apiUrl, token, workspaceId, folder] = [
  'API_URL',
  'TOKEN',
  'WORKSPACE_ID',
  'FOLDER',
].map(env)
const { build } = await import(env('ESBUILD'))

export async function ask(method, path, body, headers = {}) {
  const response = await fetch(apiUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'x-multiple-integrations': 'true',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${answer.message}`)
  return answer
}

/** Adds the first error that the bot logged, without its stack. */
export const explained = (botId, work) =>
  work.catch(async (error) => {
    const { logs } = await ask(
      'GET',
      `/v1/admin/bots/${botId}/logs?timeStart=2020-01-01T00:00:00Z`,
    )
    const [line] = logs
      .filter(({ level }) => level === 'error')
      .map(({ message }) => message.split('\n')[0])
    throw new Error(
      line === undefined ? error.message : `${error.message}. The bot logged: ${line}`,
    )
  })

/** With the settings of the official command line. */
export async function bundle(source) {
  const settings = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'es2020',
    minify: true,
    keepNames: true,
    write: false,
    logLevel: 'silent',
  }
  const { outputFiles } = await build({
    entryPoints: [`${folder}/${source}`],
    absWorkingDir: folder,
    ...settings,
  })
  return outputFiles[0].text
}
