// Calls of the API, and bundles as the official command line makes them.
import { env } from './steps.mjs'

const [apiUrl, token, workspaceId, folder] = ['API_URL', 'TOKEN', 'WORKSPACE_ID', 'FOLDER'].map(env)
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
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${answer.message}`)
  return answer
}

/** With the first lines that the bot logged, when it fails. */
export const explained = (botId, work) =>
  work.catch(async (error) => {
    const { logs } = await ask('GET', `/v1/admin/bots/${botId}/logs?timeStart=2020-01-01T00:00:00Z`)
    const lines = logs.map(({ message }) => message.split('\n')[0])
    throw new Error(`${error.message}. Its log: ${lines.join('; ').slice(0, 200)}`)
  })

export async function bundle(source) {
  const settings = {
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
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
