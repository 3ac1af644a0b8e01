declare module 'virtual:routes' {
  export const routes: import('@botstead/client').Routes
  export const permissions: typeof import('@botstead/contract').permissions
}

declare module 'virtual:operation-names' {
  export const operationNames: Record<string, string>
}

declare module 'virtual:bot-schema' {
  export const botSchema: Record<string, unknown>
}

/** The chat page's module. It checks addresses and never creates markup from text. */
declare module 'page/message-view.js' {
  export function toView(
    payload: unknown,
    turn: {
      own: boolean
      send: (payload: Record<string, unknown>) => void
      loads: (address: string) => boolean
      remember: (address: string) => void
    },
  ): HTMLElement
  /** Marks the option with the message's text, and disables the others. Returns whether there is one. */
  export function showAnsweredChoice(view: Element, message: unknown): boolean
  /** Marks and disables the button of a card that sends the message. */
  export function showPressedButton(view: Element, message: unknown): void
}

declare module 'page/texts.js' {
  /** Uses these texts in place of those of the chat page. */
  export function setTexts(own: Record<string, string>): void
}

declare module 'page/markdown.js' {
  /** Returns Markdown as elements, without any HTML of the text. */
  export function markdown(text: string): HTMLElement
}

declare module 'page/widget-elements.js' {
  /** Path of the icon of the button on websites, in a square of 24. */
  export const bubblePath: string
  export function icon(path: string): SVGSVGElement
  /** Returns the picture, or the icon if it does not load. */
  export function picture(address: string): HTMLElement
}

declare module 'page/typing.js' {
  /** Reports at intervals that the user writes, and when the user stops. */
  export function openTyping(send: (isTyping: boolean) => Promise<unknown>): {
    note(): void
    end(): void
  }
}

declare module 'page/ids.js' {
  /** Returns a random id, also on pages without TLS. */
  export const newId: () => string
}
