declare module 'virtual:routes' {
  export const routes: import('@botstead/client').Routes
  export const permissions: typeof import('@botstead/contract').permissions
}

declare module 'virtual:operation-names' {
  export const operationNames: Record<string, string>
}

/** The chat page's module. It checks addresses and never creates markup from text. */
declare module 'page/message-view.js' {
  export function viewOf(
    payload: unknown,
    turn: { own: boolean; send: (payload: Record<string, unknown>) => void },
  ): HTMLElement
}

declare module 'page/markdown.js' {
  /** Returns Markdown as elements, without any HTML of the text. */
  export function markdown(text: string): HTMLElement
}

declare module 'page/ids.js' {
  /** Returns a random id, also on pages without TLS. */
  export const newId: () => string
}
