// Values that the server wrote into the page.

const contentOf = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)!.content

/** The nonce for styles that libraries insert. */
export const nonce = contentOf('style-nonce')

/** The command line of the installation, as its operator types it. */
export const command = contentOf('command')

/** The same, for the data folder of this server. */
export const commandHere = contentOf('data-folder') + command
