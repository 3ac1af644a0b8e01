export { contentTypeOf, essence, isShowable } from './content-type.ts'
export {
  contentPath,
  contentUrl,
  isSigned,
  type SignedQuery,
  type Upload,
  uploadUrl,
} from './content-urls.ts'
export { copyFile } from './copies.ts'
export { countFiles, findStoredKeys, indexAgain, searchFilesByName } from './file-search.ts'
export { listFileTags, listFileTagValues } from './file-tags.ts'
export {
  deleteFile,
  deleteFilesBy,
  type FileContent,
  type FileOwner,
  type FileRow,
  type FileViewer,
  filePosition,
  findContent,
  findFile,
  listFiles,
  noFile,
  present,
  updateFile,
  upsertFile,
  visibleTo,
} from './files.ts'
export {
  claimIndexing,
  endIndexing,
  failJob,
  type IndexingJob,
  markIndexed,
  postponeIndexing,
  releaseIndexing,
} from './indexing-jobs.ts'
export { holdArrivedBlobs, noteArrivingBlob, releaseArrivedBlobs } from './loose-blobs.ts'
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
