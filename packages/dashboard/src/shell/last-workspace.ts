// The workspace that this browser showed last. Without storage, the first one opens.
const key = 'botstead.workspace'

export function lastWorkspace(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function rememberWorkspace(id: string) {
  try {
    localStorage.setItem(key, id)
  } catch {
    // Storage is disabled.
  }
}
