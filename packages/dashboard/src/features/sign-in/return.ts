// The page to show after signing in at a provider, which the browser leaves the dashboard for.
const key = 'botstead-return'

export function rememberReturn() {
  const asked = new URLSearchParams(location.search).get('returnTo')
  const isHere = location.pathname !== '/sign-in'
  sessionStorage.setItem(
    key,
    isHere ? location.pathname + location.search : (asked ?? '/'),
  )
}

export function takeReturn(): string | null {
  const path = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return path
}
