/** Loaded on first use: with its certificate libraries it takes 12 MB, not needed at start. */
export const webauthn = () => import('@simplewebauthn/server')
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers')
