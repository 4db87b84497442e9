/** gRPC status codes that Temporal returns: https://grpc.io/docs/guides/status-codes/ */
export const grpc = { cancelled: 1, invalidArgument: 3, deadlineExceeded: 4, notFound: 5 } as const

/** The gRPC status code of an error; undefined for any other error. */
export function grpcCode(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}
