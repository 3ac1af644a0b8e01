// The website that embeds this page with inject.js or webchat.js. It sends settings and calls, and
// receives events. Each website has its own visitor, so that none reads the conversations of another.

/**
 * Resolves with `{host, site, configuration, user, conversationId}`: the connection, the origin of the
 * website, and its settings.
 */
export function connectHost() {
  let site = null
  let methods = null
  const send = (message) => site && parent.postMessage(message, site)

  async function call({ id, method, parameters }) {
    try {
      if (!methods || !Object.hasOwn(methods, method))
        throw new Error(`Unknown method ${method}`)
      send({ type: 'botstead:reply', id, result: await methods[method](...parameters) })
    } catch (error) {
      send({ type: 'botstead:reply', id, error: error.message })
    }
  }

  const host = {
    /** Address of the page of the website. */
    page: undefined,
    /** Sends an event such as `message`. */
    emit: (name, data) => send({ type: 'botstead:event', name, data }),
    /** Accepts calls of these methods from now on. */
    connect(all) {
      if (methods) return
      methods = all
      send({ type: 'botstead:connected' })
    },
    /** Rejects calls, because the chat cannot be opened. With 401, the website may have a new user key. */
    fail: ({ message, status }) =>
      send({ type: 'botstead:failed', error: message, status }),
    /** Asks the website to hide the chat. */
    close: () => send({ type: 'botstead:close' }),
    onOpened: () => {},
    onUser: () => {},
  }
  return new Promise((resolve) => {
    addEventListener('message', ({ source, origin, data }) => {
      if (source !== parent || (site !== null && origin !== site)) return
      if (data?.type === 'botstead:init' && site === null) {
        site = origin
        host.page = toPage(data.page)
        const { configuration, user, conversationId } = data
        resolve({ host, site, configuration: configuration ?? {}, user, conversationId })
      }
      if (data?.type === 'botstead:call') void call(data)
      if (data?.type === 'botstead:opened') {
        host.page = toPage(data.page)
        host.onOpened(data)
      }
      if (data?.type === 'botstead:user') host.onUser(data.user)
    })
    parent.postMessage({ type: 'botstead:loaded' }, '*')
  })
}

const maxPage = 500

const toPage = (page) =>
  typeof page === 'string' && /^https?:/.test(page) ? page.slice(0, maxPage) : undefined
