internal import CCurl
import Testing

@testable import CurlTransport

@Suite struct CurlErrorTests {
  @Test(
    arguments: [
      (CURLE_COULDNT_RESOLVE_HOST, .notSent, .couldNotResolve),
      (CURLE_COULDNT_CONNECT, .notSent, .couldNotConnect),
      (CURLE_OPERATION_TIMEDOUT, .notSent, .timedOut),
      (CURLE_PEER_FAILED_VERIFICATION, .notSent, .secureConnectionFailed),
      (CURLE_RECV_ERROR, .notSent, .couldNotConnect), (CURLE_RECV_ERROR, .unknown, .connectionLost),
      (CURLE_RECV_ERROR, .answered, .truncatedResponse), (CURLE_SEND_ERROR, .unknown, .connectionLost),
      (CURLE_GOT_NOTHING, .unknown, .connectionLost), (CURLE_HTTP2_STREAM, .unknown, .connectionLost),
      (CURLE_HTTP2, .answered, .truncatedResponse), (CURLE_PARTIAL_FILE, .answered, .truncatedResponse),
      (CURLE_UNSUPPORTED_PROTOCOL, .notSent, .invalidRequest),
      (CURLE_UNSUPPORTED_PROTOCOL, .unknown, .invalidResponse),
      (CURLE_WEIRD_SERVER_REPLY, .unknown, .invalidResponse),
      (CURLE_URL_MALFORMAT, .notSent, .invalidRequest),
      (CURLE_OUT_OF_MEMORY, .unknown, .other),
    ] as [(CURLcode, CurlError.Exposure, CurlError.Kind)])
  func kinds(_ code: CURLcode, _ exposure: CurlError.Exposure, _ kind: CurlError.Kind) {
    let error = CurlError(code, detail: "words", exposure: exposure)
    #expect(error == CurlError(kind, "words", exposure: exposure))
  }

  @Test func libcurlsWordsStandInForMissingOnes() {
    #expect(
      CurlError(CURLE_GOT_NOTHING, detail: "", exposure: .unknown).detail
        == "Server returned nothing (no headers, no data)")
  }
}
