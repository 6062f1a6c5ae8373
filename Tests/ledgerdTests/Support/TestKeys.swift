/// Keys of these tests and of nothing else.
enum TestKeys {
    static let rsaPrivatePEM = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC5j6CCC3NElLp7
        dbHxRQd8u9TJmhmE8nrVKu2Qr0mhZJ3ZDZayXqSs2FN1540mGvYmWt+cLgOsqOYv
        M8fRzj925pjbslcG27k1ynSDw1Bzn98PR6lLlQbTuff21/xs1drh4xnMxtu8L1uv
        7GUxE4dJ3h5WwSKk7iqp5q/Zp2xkAbgSasQRqsF9V4S1U+iuHNYlwp6QruW+bfwt
        9LS88hhJNuu0GoEkq8x8uk4tQbifbIJXprJ+OXDhIg7XbRWeHAQZKp0OeYMVM7r5
        G2EINwtk9FpciQVeZNxAOmwkcUEoxtjHmLKMuNUZGbzpMD5zcM/tgt8uRmzhSE1Z
        QxHuVO1LAgMBAAECggEAAPuEswuSeat77UlrPsbJylxIPSUGu5B5HAXVKi3zatpY
        h5ytzpX3sz6V+orWUXxVD1Dt3CrWNCTUyy0wAqlf5qZD6u3fzhZ9vY4r3cK7+1C+
        YptThyXr2lUivfjYyk67kPSd31qyMSXjC2RqCL98uORnLrhpEYx9R1cEWVesmD7z
        wg2DX/C/xbokJ4Z++viAV/M27z6NKpNnxsNg+N4KyfN5b5CKAl9fv2PyTgx+WL2S
        GWEihxSuxn0V8uqRaOzLWDGES8fjV7PA4kw/5RqRa/vBoXV+I4Ut+ea6+z5FWC07
        wiXlxha+3oDFY03ee2yHzd0ugejOgbZ3OMbx+e7XMQKBgQD3CWtv6M5p2Ym67L2w
        RCqCfeXSlYLerv8F1Hzlx4EUybVx000MyaaA+3tYHriFZmjk/miFI1DbbJ9EYHSI
        pHtNIcEinr7AKOjkLFlf88erYW7BbbYmjltEzoR9C0HK6ItK9kP1yddDWBCRyVoI
        a0YZ4mq5aS5PyNIlPW9CTwEtiQKBgQDASzHrEGxqeFcY+A+TjQDZl/U6Ti3wGJo6
        1giaZZG6dzJATgImOBBFxtH/pqlek9GQ1/avCladcamRqATaE0xpgvMTq1oGXFwc
        2TN5z3uHcg2g46qXPbpJLsqtdTfhoe1mb3a7S7hJRVvgjk9cLchr+iLwlaV0gT4i
        w+ljQz5DMwKBgQDm8PxqUzbch4yVngo7BY7EDRRUCIeey/QHLD1Sxm5q06L3dTT7
        tmwc+ny1xYp002dOZHOru3c0mlhOIOnwb+wBEIQwbD0hAV2vKbKn3AuWsPBMjdcS
        NlUmfvYmu+ZW3YySmKSx226NO3/J+nVbl4WiXyOsj6LG3ZNvUv52+8q7GQKBgGx8
        f+csVt4ikpDlsnP+QxJ/5rxESyp/1tOG2UeyMetPQCyDVjcVvih/qQ5gioFvR/Y9
        wVCztnYRICeq8UHPTXbhiB36uEmKZfVonOAGLJ0XvZSdnSrCioyrN3FxBlvnrTXz
        gLreV1QPK2yfHSrWMZKphnjRFI2MNPAMM2nrD/99AoGAeOexLNgqGz51y9yXXJKf
        cBKaq5CI+I7RcH6TpstDNC9RipVg0UMV9XiYnaKvKwD+LXOX+kC1mO3wj08tYP1S
        VEPTZXYTt6ysic8S4Yk5M5iQnw04u/vG3gDxQyyd78kf0W3GvIxMyBizCaw06gNq
        Jw71E1MvpPxvn3Nk6dxvVuc=
        -----END PRIVATE KEY-----
        """
}
