// Derives the media type of a file from its extension, and decides which types a browser may
// display inline.

const byExtension: Record<string, string> = {
  '7z': 'application/x-7z-compressed',
  avif: 'image/avif',
  bmp: 'image/bmp',
  css: 'text/css',
  csv: 'text/csv',
  doc: 'application/msword',
  docm: 'application/vnd.ms-word.document.macroEnabled.12',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  dotm: 'application/vnd.ms-word.template.macroEnabled.12',
  dotx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.template',
  eml: 'message/rfc822',
  epub: 'application/epub+zip',
  gif: 'image/gif',
  gz: 'application/gzip',
  heic: 'image/heic',
  htm: 'text/html',
  html: 'text/html',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  key: 'application/vnd.apple.keynote',
  log: 'text/plain',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mdx: 'text/markdown',
  mobi: 'application/x-mobipocket-ebook',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  msg: 'application/vnd.ms-outlook',
  ndjson: 'application/x-ndjson',
  numbers: 'application/vnd.apple.numbers',
  odg: 'application/vnd.oasis.opendocument.graphics',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  ott: 'application/vnd.oasis.opendocument.text-template',
  pages: 'application/vnd.apple.pages',
  pdf: 'application/pdf',
  png: 'image/png',
  potm: 'application/vnd.ms-powerpoint.template.macroEnabled.12',
  potx: 'application/vnd.openxmlformats-officedocument.presentationml.template',
  ppsm: 'application/vnd.ms-powerpoint.slideshow.macroEnabled.12',
  ppsx: 'application/vnd.openxmlformats-officedocument.presentationml.slideshow',
  ppt: 'application/vnd.ms-powerpoint',
  pptm: 'application/vnd.ms-powerpoint.presentation.macroEnabled.12',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rar: 'application/vnd.rar',
  rtf: 'application/rtf',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webp: 'image/webp',
  xhtml: 'application/xhtml+xml',
  xls: 'application/vnd.ms-excel',
  xlsb: 'application/vnd.ms-excel.sheet.binary.macroEnabled.12',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xltm: 'application/vnd.ms-excel.template.macroEnabled.12',
  xltx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.template',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
}

export function guessContentType(key: string): string {
  const extension = /\.(\w{1,10})$/.exec(key)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(byExtension, extension)
    ? byExtension[extension]!
    : 'application/octet-stream'
}

/** Validates a Content-Type header value: a type, a subtype, and printable parameters. */
export const isContentType = (text: string) =>
  text.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+ *(?:;[\x20-\x7e]*)?$/.test(text)

/** Returns the media type without parameters, in lower case. */
export const essence = (contentType: string) =>
  contentType.split(';', 1)[0]!.trim().toLowerCase()

/**
 * Returns whether a browser only displays or plays this type. All other types are served as
 * downloads: they might run code, or need a viewer that the sandbox forbids.
 */
export const isShowable = (contentType: string) =>
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|text\/(?:plain|csv|markdown)$|application\/json$)/.test(
    essence(contentType),
  )
