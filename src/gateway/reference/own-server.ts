/** Where the service listens. */
export interface OwnServer {
  /** An address and a port: `127.0.0.1:8080`. */
  readonly host: string;
  readonly isSecure: boolean;
}
