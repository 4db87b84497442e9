/** Loaded when somebody first uses a passkey: with what it needs for certificates it is 12 MB, which no process needs to start. */
export const webauthn = () => import('@simplewebauthn/server')
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers')
