// Derives the media type of a file from its extension, and decides which types a browser may
// display inline.

const byExtension: Record<string, string> = {
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mdx: 'text/markdown',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  pdf: 'application/pdf',
  png: 'image/png',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webp: 'image/webp',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

export function contentTypeOf(key: string): string {
  const extension = /\.(\w{1,10})$/.exec(key)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(byExtension, extension)
    ? byExtension[extension]!
    : 'application/octet-stream'
}

/** Validates a Content-Type header value: a type, a subtype, and printable parameters. */
export const isContentType = (text: string) =>
  text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;[\x20-\x7e]*)?$/.test(text)

/** Returns the media type without parameters, in lower case. */
export const essence = (contentType: string) => contentType.split(';', 1)[0]!.trim().toLowerCase()

/**
 * Returns whether a browser only displays or plays this type. All other types are served as
 * downloads: they might run code, or need a viewer that the sandbox forbids.
 */
export const isShowable = (contentType: string) =>
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?:plain|csv|markdown)$|application\/json$)/.test(
    essence(contentType),
  )
