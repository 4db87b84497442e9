import './tsx.mjs'

// Dynamic, so that the .tsx files below are loaded after the hook that transforms them.
export const { pages } = await import('./routes.ts')
export const { replyErrorPage, pageHeaders } = await import('./reply.ts')
export const { isOwn } = await import('./form.ts')
export const { signedIn: signedInBrowser, viewerOf } = await import('./session.ts')
