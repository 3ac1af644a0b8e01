export { documentAccess, fileAccess, findDocument, writing } from './api/files/access.ts'
export { serveContent } from './api/files/content.ts'
export { toFile } from './api/files/serializers.ts'
export { announceUpload } from './api/files/uploads.ts'
export { handlers as fileHandlers } from './api/handlers.gen.ts'
export { essence, guessContentType, isShowable } from './content-type.ts'
export { contentPath, contentUrl, type Upload } from './content-urls.ts'
export { countFiles, findStoredKeys, indexAgain, searchFilesByName } from './file-search.ts'
export {
  deleteFilesBy,
  type FileOwner,
  type FileRow,
  type FileViewer,
  filePosition,
  findContent,
  findFile,
  listFiles,
  noFile,
  present,
  upsertFile,
  visibleTo,
} from './files.ts'
export {
  claimIndexing,
  claimRenewal,
  endIndexing,
  failJob,
  type IndexingJob,
  markIndexed,
  postponeIndexing,
  releaseIndexing,
} from './indexing-jobs.ts'
export { holdArrivedBlobs, noteArrivingBlob, releaseArrivedBlobs } from './loose-blobs.ts'
export { type FileHooks, type FileServices, fileBindings } from './services.ts'
export { tables } from './table-rules.ts'
export { matchesTags, parseTagFilter, type TagFilter } from './tag-filter.ts'
export {
  beginUpload,
  createLooseBlob,
  failUploads,
  finishUpload,
  releaseBlob,
  removeExpiredFiles,
  removeLooseBlobs,
} from './uploads.ts'
